import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import type { FormerLimit } from '../../boundary/search/search.ts';
import { PlimsollError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { clusterKey, type RunCluster, type StoredRun } from '../store/stored-run.ts';

/** The run that a rerun checks, and what it found. */
export interface FormerRun {
  readonly run: StoredRun;
  /** What there is to check; never empty. */
  readonly limits: readonly FormerLimit[];
  /** Sizes of that run without a limit that a rerun could check. */
  readonly unchecked: readonly number[];
}

/** Instead of a run's id: the latest run of the same cluster. */
export const LAST_RUN = 'last';

/**
 * Finds the run to check. By its id it may have had other addresses, as a local cluster has after each start, if its brokers
 * have the same ids; `last` is the latest finished run at the same addresses that found a limit.
 *
 * @throws PlimsollError RUN_UNKNOWN, CONFIG_INVALID for a run of other brokers or without a limit.
 */
export function findFormerRun(store: Store, wanted: string, cluster: RunCluster): FormerRun {
  if (wanted === LAST_RUN) return latestRun(store, cluster);
  const run = store.run(wanted);
  const [then, now] = [run.cluster, cluster].map((one) =>
    [...one.brokerIds].sort((a, b) => a - b).join(', '),
  );
  if (then !== now || run.cluster.clusterId !== cluster.clusterId) {
    const other = then === now ? 'another cluster' : `brokers ${then}, the cluster has ${now}`;
    throw new PlimsollError(
      'CONFIG_INVALID',
      `run ${wanted} measured ${other}: name a run of this cluster (plimsoll runs), or search without --rerun`,
    );
  }
  const former = formerRun(run, store.points(wanted));
  if (former.limits.length > 0) return former;
  throw new PlimsollError(
    'CONFIG_INVALID',
    `run ${wanted} has no limit that a rerun can check, with a bound on either side and not dropped in a hold: search without --rerun`,
  );
}

function latestRun(store: Store, cluster: RunCluster): FormerRun {
  const key = clusterKey(cluster);
  for (const run of store.listRuns().toReversed()) {
    if (run.status !== 'finished' || clusterKey(run.cluster) !== key) continue;
    const former = formerRun(run, run.points);
    if (former.limits.length > 0) return former;
  }
  throw new PlimsollError(
    'RUN_UNKNOWN',
    'there is no finished run of this cluster, at these addresses, that found a limit: name one with --rerun RUN (plimsoll runs), or search without',
  );
}

function formerRun(run: StoredRun, points: readonly BoundaryPoint[]): FormerRun {
  const limits = formerLimits(points);
  const unchecked = points
    .map(({ messageBytes }) => messageBytes)
    .filter((size) => limits.every(({ messageBytes }) => messageBytes !== size));
  return { run, limits, unchecked };
}

/**
 * What a run's points say of where the limits are. Points with one bound only say nothing that could be refuted. Where a
 * hold dropped, what the search had found before it counts: that is what a search finds again.
 */
export function formerLimits(points: readonly BoundaryPoint[]): FormerLimit[] {
  return points.flatMap((point): FormerLimit[] => {
    const { messageBytes, hold } = point;
    const fresh = hold && hold.drops.length > 0 ? hold.fresh : point;
    if (!fresh) return [];
    const { quality, estimate, interval, lower, upper } = fresh;
    if (!lower && !upper) return [];
    if (estimate === null || quality === 'at least' || quality === 'at most') return [];
    const { low, high } = interval ?? {
      low: lower?.messagesPerSecond ?? 0,
      high: upper?.messagesPerSecond ?? 0,
    };
    const middle = interval ? estimate : Math.sqrt(low * high);
    const isInOrder = low > 0 && low < high && low <= middle && middle <= high;
    return isInOrder ? [{ messageBytes, estimate: middle, low, high }] : [];
  });
}
