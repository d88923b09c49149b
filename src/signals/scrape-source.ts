import { maskText } from '../config/masked-text.ts';
import { parseExposition } from './exposition.ts';
import { type HttpAnswer, HttpClient, withoutCredentials } from './http-client.ts';
import { isTellingName } from './series-name.ts';
import type { Look, LookRequest, SignalSource } from './signal-source.ts';
import { PLAIN_SOURCE, type SourceOptions } from './source-options.ts';

/** The exporter's page of one broker, fetched with every look. */
export function scrapeSource(url: string, options: SourceOptions = PLAIN_SOURCE): SignalSource {
  const client = new HttpClient(options);
  return {
    kind: 'scrape',
    place: maskText(withoutCredentials(new URL(url))),
    refreshMs: 0,
    look: async (request) => {
      const answer = await client.send({
        url,
        accept: 'text/plain;version=0.0.4',
        deadlineMs: request.deadlineMs,
        nowMs: request.nowMs,
      });
      return answer.kind === 'failed' ? answer : readPage(answer, request.wanted);
    },
    close: () => client.close(),
  };
}

function readPage(answer: HttpAnswer, wanted: LookRequest['wanted']): Look {
  const refusal = refusalOf(answer);
  if (refusal !== null) return { kind: 'failed', reason: refusal };
  const series = parseExposition(
    answer.text,
    wanted === 'telling' ? isTellingName : (name) => wanted.has(name),
  );
  if (series.kind === 'truncated') return { kind: 'failed', reason: `page ends within line ${series.line}` };
  if (series.kind === 'broken') {
    return { kind: 'failed', reason: `no metrics page (line ${series.line}: ${series.reason})` };
  }
  const tookMs = answer.endMs - answer.startMs;
  const atMs = (answer.startMs + answer.endMs) / 2;
  return {
    kind: 'looked',
    snapshots: [{ series, atMs, scrapeMs: tookMs, serverDateMs: answer.serverDateMs }],
    tookMs,
    bytes: answer.bytes,
  };
}

function refusalOf({ status, contentType, text }: HttpAnswer): string | null {
  if (status === 401 || status === 403) return `HTTP ${status}: needs credentials`;
  if (status !== 200) return `HTTP ${status}`;
  if (contentType.includes('html') || contentType.includes('json')) {
    return `not a metrics page (content type ${contentType})`;
  }
  if (text.trim() === '') return 'empty page (exporter still in its start delay?)';
  return null;
}
