import { type Exposition, parseExposition } from '../../src/signals/exposition.ts';
import type {
  Look,
  LookRequest,
  SignalSource,
  Snapshot,
  SourceKind,
} from '../../src/signals/signal-source.ts';
import { idlePage } from './metrics-server.ts';

/** A source whose looks a test makes up; it keeps what it was asked and when. */
export interface FakeSource extends SignalSource {
  refreshMs: number;
  answer: (request: LookRequest) => Look | Promise<Look>;
  readonly asked: { readonly atMs: number; readonly wanted: LookRequest['wanted'] }[];
}

export function fakeSource(answer: FakeSource['answer'], kind: SourceKind = 'scrape'): FakeSource {
  const asked: FakeSource['asked'] = [];
  const source: FakeSource = {
    kind,
    place: 'http://broker-1:7071/metrics',
    refreshMs: 0,
    answer,
    asked,
    look: async (request) => {
      asked.push({ atMs: request.nowMs(), wanted: request.wanted });
      return source.answer(request);
    },
    close: () => {},
  };
  return source;
}

export function parsed(text: string): Exposition {
  const page = parseExposition(text, () => true);
  if (page.kind !== 'parsed') throw new Error(page.kind);
  return page;
}

/** What a broker shows at `atMs` that has been idle since the epoch began. */
export function snapshotAt(atMs: number, options: Parameters<typeof idlePage>[1] = {}): Snapshot {
  return { series: parsed(idlePage(atMs, options)), atMs, scrapeMs: 0, serverDateMs: null };
}

export function looked(snapshots: readonly Snapshot[], tookMs = 0, bytes = 0): Look {
  return { kind: 'looked', snapshots, tookMs, bytes };
}

/** A page of the moment, at once. */
export function answerNow({ nowMs }: LookRequest): Look {
  return looked([snapshotAt(nowMs())]);
}

/** A page that takes so long; its values are of the middle. */
export function answerAfter(tookMs: number): FakeSource['answer'] {
  return async ({ nowMs }) => {
    const startMs = nowMs();
    await new Promise((resolve) => setTimeout(resolve, tookMs));
    return looked([{ ...snapshotAt(startMs + tookMs / 2), scrapeMs: tookMs }], tookMs, 60_000);
  };
}

/** No answer, told after so long. */
export function failAfter(tookMs: number, reason: string): FakeSource['answer'] {
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, tookMs));
    return { kind: 'failed', reason };
  };
}
