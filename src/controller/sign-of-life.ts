import type { Store } from '../store/store.ts';
import type { RunContext } from './run-context.ts';
import type { RunObserver } from './run-event.ts';

/** Far under the silence after which a run of another machine counts as gone (`SILENCE_MS` of the store), ms. */
const SIGN_OF_LIFE_MS = 60_000;

/** Lets the store know that the run lives, as long as it tells something: a hold has nothing to record for many minutes. */
export function withSignsOfLife(
  { observe, runId }: Pick<RunContext, 'observe' | 'runId'>,
  store: Pick<Store, 'touchRun'>,
): RunObserver {
  let lastMs = performance.now();
  return (event) => {
    if (performance.now() - lastMs > SIGN_OF_LIFE_MS) {
      lastMs = performance.now();
      store.touchRun(runId);
    }
    observe(event);
  };
}
