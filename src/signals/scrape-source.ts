import { maskText } from '../config/masked-text.ts';
import { type ExpositionFormat, parseExposition } from './exposition.ts';
import { type HttpAnswer, HttpClient, withoutCredentials } from './http-client.ts';
import { credentialsReason } from './http-failure.ts';
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
      return answer.kind === 'failed' ? answer : readPage(answer, isWantedOf(request.wanted, options));
    },
    close: () => client.close(),
  };
}

function isWantedOf(
  wanted: LookRequest['wanted'],
  { alsoTelling }: SourceOptions,
): (name: string) => boolean {
  if (wanted === 'telling') return (name) => isTellingName(name) || alsoTelling.has(name);
  return (name) => wanted.has(name);
}

function readPage(answer: HttpAnswer, isWanted: (name: string) => boolean): Look {
  const refusal = refusalOf(answer);
  if (refusal !== null) return { kind: 'failed', reason: refusal };
  const series = parseExposition(answer.text, isWanted, formatOf(answer.contentType));
  if (series.kind === 'truncated') {
    return { kind: 'failed', reason: `page ends too early (line ${series.line}: ${series.reason})` };
  }
  if (series.kind !== 'parsed') {
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

/** null: the page itself must tell. */
function formatOf(contentType: string): ExpositionFormat | null {
  if (contentType.includes('openmetrics')) return 'openmetrics';
  return contentType.includes('version=0.0.4') ? 'prometheus' : null;
}

function refusalOf({ status, contentType, text }: HttpAnswer): string | null {
  const turnedAway = credentialsReason(status);
  if (turnedAway !== null) return turnedAway;
  if (status !== 200) return `HTTP ${status}`;
  if (contentType.includes('html') || contentType.includes('json')) {
    return `not a metrics page (content type ${contentType})`;
  }
  if (text.trim() === '') return 'empty page (exporter still in its start delay?)';
  return null;
}
