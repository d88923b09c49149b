import { setTimeout as sleep } from 'node:timers/promises';

/** No step of the clean-up may keep a run from ending, ms. */
const STEP_LIMIT_MS = 15_000;

/** Undoes what a run set up, last first, whatever fails on the way. */
export class Teardown {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (const step of this.#steps.toReversed()) {
      const limit = new AbortController();
      const late = sleep(STEP_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => undefined);
      // A failed clean-up step has nobody left to tell, and must not hide the error that ended the run.
      await Promise.race([step().catch(() => undefined), late]);
      limit.abort();
    }
  }
}
