import type { BrokerPoll } from './broker-reading.ts';
import { idleLogit } from './idle/idle-logit.ts';
import { type IdleLook, idleLooks, LOOK_TOLERANCE_MS } from './idle/idle-looks.ts';
import { readingsByBroker } from './polls.ts';

/**
 * What is left out must differ from what is kept by this many standard errors; else noise alone would move the start of
 * every third window.
 */
const TELLING_ERRORS = 3;

/** With fewer looks there is no half to compare with the other. */
const LEAST_LOOKS = 4;

/** Errors this close are alike: of level values any part has the same. */
const ROUNDING = 1e-9;

/**
 * How many of the first values are warm-up, by MSER (White 1997): leaving them out gives the mean of the rest its least
 * standard error, so that dropping more would cost more data than it removes bias. Values one by one: Spratt's batches of
 * five (MSER-5) would be coarser than the warm-ups that are looked for. Never more than half of what was seen.
 *
 * @param values one a look since the load started.
 */
export function warmUpLooks(values: readonly number[]): number {
  if (values.length < LEAST_LOOKS) return 0;
  const errors: number[] = [];
  let sum = 0;
  let squares = 0;
  for (let cut = values.length - 1; cut >= 0; cut--) {
    const value = values[cut] ?? 0;
    sum += value;
    squares += value * value;
    const kept = values.length - cut;
    if (cut <= values.length / 2) errors[cut] = (squares - (sum * sum) / kept) / (kept * kept);
  }
  const least = Math.min(...errors);
  const best = errors.findIndex((error) => error <= least + ROUNDING);
  return isTelling(values.slice(0, best), values.slice(best)) ? best : 0;
}

/**
 * When the brokers had come to rest under the load, by the idle of the busiest one; ms on the run's clock. Idle is looked
 * at as logit(idle), in which noise is alike near 0 and near 1.
 *
 * @param polls since the load started.
 * @param longestMs a later end is not looked for.
 * @returns `loadAtMs` when nothing has to be left out, null when the meter tells no single looks.
 */
export function warmUpEndMs(
  polls: readonly BrokerPoll[],
  loadAtMs: number,
  longestMs: number,
): number | null {
  const looks = busiestLooks(polls, loadAtMs, loadAtMs + 2 * longestMs);
  if (looks === null) return null;
  const cut = warmUpLooks(looks.map(({ idle }) => idleLogit(idle)));
  return cut === 0 ? loadAtMs : Math.min(looks[cut - 1]?.toMs ?? loadAtMs, loadAtMs + longestMs);
}

/** Looks of the broker with the least idle lately; null when a broker's meter tells none. */
function busiestLooks(polls: readonly BrokerPoll[], loadAtMs: number, untilMs: number): IdleLook[] | null {
  let busiest: { readonly looks: IdleLook[]; readonly idle: number } | null = null;
  for (const readings of readingsByBroker(polls).values()) {
    const seen = readings.filter(({ atMs }) => atMs <= untilMs);
    const looks = idleLooks(seen, loadAtMs - LOOK_TOLERANCE_MS);
    if (looks.length === 0) return null;
    const idle = meanOf(looks.slice(Math.floor(looks.length / 2)).map((look) => look.idle));
    if (busiest === null || idle < busiest.idle) busiest = { looks, idle };
  }
  return busiest?.looks ?? null;
}

function isTelling(left: readonly number[], kept: readonly number[]): boolean {
  if (left.length === 0) return false;
  const mean = meanOf(kept);
  const variance = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, kept.length - 1);
  const error = Math.sqrt(variance * (1 / left.length + 1 / kept.length));
  return Math.abs(meanOf(left) - mean) > TELLING_ERRORS * error;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
