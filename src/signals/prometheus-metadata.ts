import { z } from 'zod';
import type { LabelMatcher } from './label-matchers.ts';
import { matchersText } from './label-matchers.ts';
import type { ApiRequest, PrometheusApi } from './prometheus-api.ts';

/** HELP and TYPE by the names of series. */
export interface PageMetadata {
  readonly help: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, string>;
}

const entry = z.object({ type: z.string(), help: z.string() });
const ofTarget = z.array(entry.extend({ metric: z.string() }));
const ofAll = z.record(z.string(), z.array(entry));

/**
 * Reads HELP and TYPE of a target's series, as they decide what a series means: of this very target where the server
 * tells, else of all targets as far as they agree. Empty when the server keeps none.
 */
export async function readMetadata(
  api: PrometheusApi,
  target: readonly LabelMatcher[],
  isWanted: (name: string) => boolean,
  request: ApiRequest,
): Promise<PageMetadata> {
  const selector = encodeURIComponent(`{${matchersText(target)}}`);
  const own = await api.get(`/api/v1/targets/metadata?match_target=${selector}`, ofTarget, request);
  if (own.kind === 'answer' && own.data.length > 0) {
    return metadataOf(
      own.data.map(({ metric, type, help }) => [metric, [{ type, help }]]),
      isWanted,
    );
  }
  const all = await api.get('/api/v1/metadata', ofAll, request);
  return all.kind === 'answer'
    ? metadataOf(Object.entries(all.data), isWanted)
    : { help: new Map(), types: new Map() };
}

function metadataOf(
  families: readonly (readonly [string, readonly z.infer<typeof entry>[]])[],
  isWanted: (name: string) => boolean,
): PageMetadata {
  const help = new Map<string, string>();
  const types = new Map<string, string>();
  for (const [family, entries] of families) {
    const type = agreed(entries.map((one) => one.type));
    const text = agreed(entries.map((one) => one.help));
    // OpenMetrics leaves the _total of a counter out of the family's name.
    const names = type === 'counter' ? [family, `${family}_total`] : [family];
    for (const name of names.filter(isWanted)) {
      if (type !== null) types.set(name, type);
      if (text !== null) help.set(name, text);
    }
  }
  return { help, types };
}

function agreed(values: readonly string[]): string | null {
  const [first] = values;
  return first !== undefined && first !== '' && values.every((value) => value === first) ? first : null;
}
