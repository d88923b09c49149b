import { setTimeout as sleep } from 'node:timers/promises';
import { readValues } from './broker-reading.ts';
import { confirmBySecondLook } from './confirm-by-second-look.ts';
import { PageWatch } from './page-watch.ts';
import { type PageResolution, resolveSeries } from './resolve-series.ts';
import type { FailedLook, LookRequest, SignalSource, Snapshot, SourceKind } from './signal-source.ts';

export interface ResolveRequest {
  /** Selector text of `signals.idle`; null: found by name. */
  readonly idleSelector: string | null;
  readonly deadlineMs: number;
  readonly nowMs: () => number;
}

export type ResolvedSource = { readonly kind: 'resolved'; readonly resolution: PageResolution } | FailedLook;

/** What grows must have had the time to. */
const APART_MS = 1_100;
const BETWEEN_LOOKS_MS = 1_200;
const WHAT: Readonly<Record<SourceKind, string>> = {
  scrape: 'the page',
  prometheus: 'what Prometheus has',
  jolokia: 'the Jolokia agent',
};

/** A source that is filled by somebody else may be filled late. */
const REFRESHES_WAITED = 2.5;

/**
 * Decides which series of a source is what, and makes sure by a second snapshot: a counter must have grown like one.
 * @returns the resolution, or why the source cannot be looked at.
 * @throws PlimsollError METRIC_MISSING, METRICS_MISMATCH or CONFIG_INVALID of the resolver.
 */
export async function resolveSource(source: SignalSource, request: ResolveRequest): Promise<ResolvedSource> {
  const { idleSelector, deadlineMs, nowMs } = request;
  const look = (wanted: LookRequest['wanted']) => source.look({ wanted, deadlineMs, nowMs });
  const told = await look('telling');
  if (told.kind === 'failed') return told;
  const latest = told.snapshots.at(-1);
  if (latest === undefined) return { kind: 'failed', reason: 'shows nothing yet' };
  const resolution = resolveSeries(latest.series, `${WHAT[source.kind]} at ${source.place}`, {
    idleSelector,
  });

  const earlier = told.snapshots.find((snapshot) => areApart(snapshot, latest));
  if (earlier !== undefined) {
    return confirmed(resolution, earlier, latest);
  }
  const untilMs = nowMs() + BETWEEN_LOOKS_MS + REFRESHES_WAITED * source.refreshMs;
  while (nowMs() < untilMs) {
    await sleep(BETWEEN_LOOKS_MS);
    const looked = await look(resolution.wantedNames);
    if (looked.kind === 'failed') return looked;
    const second = looked.snapshots.findLast((snapshot) => areApart(latest, snapshot));
    if (second !== undefined) {
      return confirmed(resolution, latest, second);
    }
  }
  return { kind: 'failed', reason: 'shows nothing new' };
}

/** A page that stands still is no look at the broker, however good it is. */
function confirmed(resolution: PageResolution, first: Snapshot, second: Snapshot): ResolvedSource {
  const confirmedResolution = confirmBySecondLook(resolution, first, second);
  const watch = new PageWatch();
  for (const snapshot of [first, second]) {
    const read = readValues(confirmedResolution, snapshot);
    // What else is wrong with it is told when it is read in earnest.
    if (read.kind === 'failed') continue;
    if (watch.judge(read.values, snapshot.atMs) === 'stale page') return { kind: 'failed', reason: STANDING };
  }
  return { kind: 'resolved', resolution: confirmedResolution };
}

const STANDING =
  'shows the same values again a second later: an exporter that hangs, or a cache before it; restart it, or look past the cache';

function areApart(first: Snapshot, second: Snapshot): boolean {
  return second.atMs - first.atMs >= APART_MS;
}
