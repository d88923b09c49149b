import { loadOf, type SizeState, type StoredTrial, validTrials } from './adaptive-state.ts';
import type { SizeAnalysis } from './analyse.ts';

/** Two trials whose loads differ by this factor, and whose idle goes the wrong way by so much. */
const LOAD_FACTOR = 1.05;
const IDLE_RISE = 0.05;

/** Why a size is left to verdicts: how its readings of idle depart from the model, in one sentence. */
export function misfitNote(size: SizeState, { outliers, readings }: SizeAnalysis): string {
  const pair = risingPair(validTrials(size));
  const how = pair
    ? `it rises from ${leastIdle(pair[0]).toFixed(2)} at ${Math.round(loadOf(pair[0]))} to ${leastIdle(pair[1]).toFixed(2)} at ${Math.round(loadOf(pair[1]))} messages/s`
    : 'it keeps changing from trial to trial';
  return `idle does not follow one curve here (${outliers} of ${readings} readings are off it: ${how}): bounds from verdicts alone`;
}

/** The pair of trials at which idle rises most with the load; null when it nowhere does. */
function risingPair(trials: readonly StoredTrial[]): readonly [StoredTrial, StoredTrial] | null {
  let worst: readonly [StoredTrial, StoredTrial] | null = null;
  let most = IDLE_RISE;
  for (const light of trials) {
    for (const heavy of trials) {
      const rise = leastIdle(heavy) - leastIdle(light);
      if (loadOf(heavy) < loadOf(light) * LOAD_FACTOR || !(rise > most)) continue;
      most = rise;
      worst = [light, heavy];
    }
  }
  return worst;
}

/** Idle of the worst broker; NaN when none was read. */
function leastIdle({ idleByBroker }: StoredTrial): number {
  const read = Object.values(idleByBroker).filter((ratio) => ratio !== null);
  return read.length === 0 ? Number.NaN : Math.min(...read);
}
