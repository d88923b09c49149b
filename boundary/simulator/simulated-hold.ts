import type { SimulatedReading } from './simulated-trials.ts';
import { meanReading, simulatedOverload } from './simulated-verdict.ts';

/** A hold is looked at in slices of this length. */
const SLICE_SECONDS = 15;

/** One look at a load. */
export interface Look extends Pick<SimulatedReading, 'idle' | 'deliveredShare'> {
  readonly isrFlaps: boolean;
}

/** How a hold ended: what it is judged by, over how many seconds, and how long the load was carried. */
export interface HeldLoad extends Look {
  readonly windowSeconds: number;
  readonly heldSeconds: number;
  readonly hasDropped: boolean;
}

/**
 * Goes on with a load until it lasted as long as planned, or two overloaded slices in a row, which together are it too, say
 * that it does not.
 *
 * @param look takes the next slice of a load that is on, of so many seconds.
 */
export function holdLoad(plannedSeconds: number, look: (seconds: number) => Look): HeldLoad {
  const slices: Look[] = [];
  let elapsed = 0;
  let carried = 0;
  while (elapsed < plannedSeconds) {
    const seconds = Math.min(SLICE_SECONDS, plannedSeconds - elapsed);
    const slice = look(seconds);
    slices.push(slice);
    elapsed += seconds;
    if (!isOverloaded(slice)) carried = elapsed;
    const lastTwo = slices.slice(-2);
    if (lastTwo.length === 2 && lastTwo.every(isOverloaded) && isOverloaded(together(lastTwo))) {
      const windowSeconds = SLICE_SECONDS + seconds;
      return { ...together(lastTwo), windowSeconds, heldSeconds: carried, hasDropped: true };
    }
  }
  return { ...together(slices), windowSeconds: elapsed, heldSeconds: elapsed, hasDropped: false };
}

function isOverloaded(look: Look): boolean {
  return simulatedOverload(look, look.isrFlaps) !== null;
}

function together(slices: readonly Look[]): Look {
  return { ...meanReading(slices), isrFlaps: slices.every(({ isrFlaps }) => isrFlaps) };
}
