import { PlimsollError } from '../errors.ts';
import type { Store } from '../store/store.ts';

/** Instead of a run's id: the one that started last, whatever has become of it. */
const LAST_RUN = 'last';

/**
 * The id of the run that is meant.
 * @throws PlimsollError RUN_UNKNOWN when `last` is wanted of a home without runs.
 */
export function namedRun(store: Pick<Store, 'listRuns'>, wanted: string): string {
  if (wanted !== LAST_RUN) return wanted;
  const last = store.listRuns().at(-1);
  if (last) return last.runId;
  throw new PlimsollError('RUN_UNKNOWN', 'there are no runs in this home yet; `plimsoll find` makes one');
}
