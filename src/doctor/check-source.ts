import { formatBytes } from '../../boundary/units.ts';
import { messageOf, PlimsollError } from '../errors.ts';
import { intervalFor } from '../signals/poll-interval.ts';
import type { PageResolution } from '../signals/resolve-series.ts';
import { resolveSource } from '../signals/resolve-source.ts';
import type { Looked, SignalSource, SourceKind } from '../signals/signal-source.ts';
import { judgePageClock } from './check-page-clock.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DoctorTarget } from './doctor-target.ts';

export interface SourceFindings {
  readonly checks: readonly CheckResult[];
  /** null when the source does not answer or has no idle that can be trusted. */
  readonly resolution: PageResolution | null;
}

/** Polled as often as this a broker is when its scrapes are cheap, ms. */
const ASKED_INTERVAL_MS = 1_000;

/** Checks that a source answers, how the broker's idle would be had from it, and what one look costs. */
export async function checkSource(
  source: SignalSource,
  { signals, timeoutMs }: Pick<DoctorTarget, 'signals' | 'timeoutMs'>,
): Promise<SourceFindings> {
  const name = `${NAMES[source.kind]} ${shortPlace(source.place)}`;
  const request = { idleSelector: signals.idle, deadlineMs: timeoutMs, nowMs: machineNowMs };
  try {
    const resolved = await resolveSource(source, request);
    if (resolved.kind === 'failed') {
      const refused = fail(name, `${source.place}: ${resolved.reason}`, REMEDIES[source.kind]);
      return { checks: [refused], resolution: null };
    }
    const { resolution } = resolved;
    // Connecting and the exporter's first page are paid once; this look is what a run would pay each time.
    const look = await source.look({ wanted: resolution.wantedNames, ...request });
    return {
      checks: [
        ok(name, identityText(resolution)),
        ...checkIdle(source, resolution),
        ...checkGaps(name, resolution),
        ...(look.kind === 'looked' ? checkLook(source, look) : []),
      ],
      resolution,
    };
  } catch (error) {
    const fix = error instanceof PlimsollError ? fixOf(error) : 'report this as a bug';
    return { checks: [fail(name, messageOf(error), fix)], resolution: null };
  }
}

const NAMES: Readonly<Record<SourceKind, string>> = {
  scrape: 'page',
  prometheus: 'prometheus',
  jolokia: 'jolokia',
};

const REMEDIES: Readonly<Record<SourceKind, string>> = {
  scrape: 'check the URL (mostly http://HOST:PORT/metrics) and that the JMX exporter runs in the broker',
  prometheus: 'check signals.selector, and in Prometheus that the target is up',
  jolokia: 'check the URL (mostly http://HOST:8778/jolokia) and that the Jolokia agent runs in the broker',
};

/** One line for each signal: which series it is read from and how that is known. */
export function explainSource(resolution: PageResolution): readonly CheckResult[] {
  return resolution.explanations.map(({ title, isFound, text, remedy }) => {
    const detail = text.startsWith(`${title}: `) ? text.slice(title.length + 2) : text;
    return isFound || remedy === null ? ok(title, detail) : warn(title, detail, remedy);
  });
}

function identityText({ identity, place }: PageResolution): string {
  const { brokerId, kafkaVersion, exporter } = identity;
  const facts = [
    brokerId === null ? 'does not name its broker' : `broker ${brokerId}`,
    ...(kafkaVersion === null ? [] : [`Kafka ${kafkaVersion}`]),
    ...(exporter === null ? [] : [exporter]),
  ];
  return facts.join(', ') || place;
}

/** How exact the idle can be had, which decides how long trials take. */
function checkIdle(source: SignalSource, { idle }: PageResolution): readonly CheckResult[] {
  const name = `idle ${shortPlace(source.place)}`;
  const isExact = idle.kind === 'cores' || idle.attributes.includes('Count');
  if (isExact) return [ok(name, idle.sentence)];
  const fix =
    'export the Count of kafka.server:type=KafkaRequestHandlerPool,name=RequestHandlerAvgIdlePercent ' +
    '(deploy/jmx-exporter/plimsoll.yaml), and trials are short and exact';
  return [warn(name, idle.sentence, fix)];
}

function checkLook(source: SignalSource, look: Looked): readonly CheckResult[] {
  const place = shortPlace(source.place);
  const latest = look.snapshots.at(-1);
  const clock = latest === undefined ? [] : [judgePageClock(place, latest)];
  if (source.kind === 'prometheus') {
    const seconds = (source.refreshMs / 1_000).toFixed(source.refreshMs < 10_000 ? 1 : 0);
    return [ok(`samples ${place}`, `one every ${seconds} s; a window needs at least four`), ...clock];
  }
  const name = `scrape ${place}`;
  const cost = `one look takes ${look.tookMs.toFixed(0)} ms, ${formatBytes(look.bytes)} over the wire`;
  const costs = new Map([[0, { medianMs: look.tookMs, bytes: look.bytes, looks: 1 }]]);
  const { intervalMs } = intervalFor(costs, ASKED_INTERVAL_MS);
  if (intervalMs <= ASKED_INTERVAL_MS) return [ok(name, cost), ...clock];
  const slow = `${cost}: part of the broker's load, so it is polled only every ${intervalMs / 1_000} s`;
  const fix = 'limit the exporter with includeObjectNames, as deploy/jmx-exporter/plimsoll.yaml does';
  return [warn(name, slow, fix), ...clock];
}

/** Signals that a verdict can do without, but is poorer for. */
function checkGaps(name: string, resolution: PageResolution): readonly CheckResult[] {
  const needed = ['underReplicatedPartitions', 'isrShrinks', 'isrExpands', 'bytesIn'];
  const missing = resolution.explanations.filter(
    ({ signal, isFound }) => !isFound && needed.includes(signal),
  );
  if (missing.length === 0) return [];
  const titles = missing.map(({ title }) => title).join(', ');
  const remedies = missing.flatMap(({ remedy }) => (remedy === null ? [] : [remedy]));
  return [warn(name, `without ${titles}`, remedies.join('; ') || 'widen the rules of the exporter')];
}

function fixOf(error: PlimsollError): string {
  switch (error.code) {
    case 'METRICS_MISMATCH':
      return "give each broker's own metrics page";
    case 'CONFIG_INVALID':
      return 'correct the setting';
    default:
      return "change the exporter's rules; deploy/jmx-exporter/plimsoll.yaml has all that is needed";
  }
}

/** host:port of what is looked at; of a target in Prometheus its instance. */
function shortPlace(place: string): string {
  const instance = /\binstance="([^"]+)"/.exec(place)?.[1];
  if (instance !== undefined) return instance;
  return URL.canParse(place) ? new URL(place).host : place;
}

function machineNowMs(): number {
  return performance.timeOrigin + performance.now();
}
