import type { BrokerReading, HandlerIdle } from '../broker-reading.ts';
import { newestWeight, type RateMinutes, TICK_MS, ticksBetween } from '../moving-average.ts';
import type { Window } from '../trial.ts';
import {
  addParts,
  type Bounded,
  type IdlePart,
  LEAST_COVERED_SHARE,
  NO_PART,
  partInWindow,
  type Range,
  unknownPart,
} from './idle-stretch.ts';
import { fullIdle, LONGEST_WAIT_MS } from './idle-wait.ts';

/** A moving average of idle at one instant, known within `unsureMs` to both sides. */
export interface RateSample {
  readonly atMs: number;
  readonly unsureMs: number;
  readonly rate: number;
}

/** Phases are tried in steps of this, ms. */
const PHASE_STEP_MS = 250;

/** Ticks come this late at most; the next is tried when a series contradicts every phase (a pause of the broker's JVM). */
const TICK_LATENESS_MS = [500, 2_500] as const;

/** Values this far out of range are rounding; farther out, the series is no moving average of idle. */
const SLACK = 0.05;

/** The moving average of these minutes as the readings show it. A meter before its first tick shows 0: not a value yet. */
export function rateSamples(readings: readonly BrokerReading[], minutes: RateMinutes): RateSample[] {
  return readings.flatMap(({ atMs, scrapeMs, idle }) => {
    const rate = idle.kind === 'request handlers' ? rateOf(idle, minutes) : null;
    return rate === null || rate === 0 ? [] : [{ atMs, unsureMs: scrapeMs / 2, rate }];
  });
}

export function rateOf(idle: HandlerIdle, minutes: RateMinutes): number | null {
  switch (minutes) {
    case 1:
      return idle.oneMinuteRate;
    case 5:
      return idle.fiveMinuteRate;
    case 15:
      return idle.fifteenMinuteRate;
  }
}

/**
 * Mean idle over a window from a moving average, inverted (`ticksBetween`).
 *
 * A tick every 5 s takes the mean idle of those 5 s in; all that a page does not show is when the ticks are. So every
 * phase is tried, phases that the series contradicts are dropped (a value cannot move without a tick, nor by more than
 * idle can be), and the bounds cover all that are left. Looks at most 2.5 s apart see every tick alone, which
 * makes the values exact; looks farther apart see several together, whose order then widens the bounds. They are hard:
 * no steadiness of the load is assumed. A value that stands still over a tick is no live average (an average of real
 * waits moves), so nothing is concluded from it.
 *
 * @param samples in order of time; those before the window help to find the phase.
 * @returns null when the samples contradict every phase or speak for less than half of the window.
 */
export function rateIdle(
  samples: readonly RateSample[],
  window: Window,
  minutes: RateMinutes,
  pool: HandlerIdle['pool'],
): Bounded | null {
  const full = fullIdle(pool);
  for (const latenessMs of TICK_LATENESS_MS) {
    // An idle wait that ends in the next tick counts there.
    const most = (full * (TICK_MS + LONGEST_WAIT_MS + latenessMs)) / TICK_MS;
    const average = { newest: newestWeight(minutes), most, slack: SLACK };
    const parts: IdlePart[] = [];
    for (let phaseMs = 0; phaseMs < TICK_MS; phaseMs += PHASE_STEP_MS) {
      const tickAt = (tick: number): Range => {
        const low = tick * TICK_MS + phaseMs;
        return { low, high: low + PHASE_STEP_MS + latenessMs };
      };
      const part = partByPhase(samples, { window, full, average, tickAt });
      if (part) parts.push(part);
    }
    if (parts.length > 0) return overPhases(parts, window, full);
  }
  return null;
}

interface PhaseTrial {
  readonly window: Window;
  readonly full: number;
  readonly average: Parameters<typeof ticksBetween>[3];
  /** When a tick happened, by its number. */
  readonly tickAt: (tick: number) => Range;
}

/**
 * Idle in the window if the ticks were at this phase. `ways` holds, for each number that the newest tick before a
 * sample may have, what is known by then; a sample close to a tick has two such numbers.
 */
function partByPhase(samples: readonly RateSample[], trial: PhaseTrial): IdlePart | null {
  const { window, full, tickAt } = trial;
  let ways = new Map<number, IdlePart>();
  let earlier: RateSample | null = null;
  for (const sample of samples) {
    const next = new Map<number, IdlePart>();
    for (const tick of newestTicks(sample, tickAt)) {
      if (!earlier) {
        next.set(tick, unknownPart(tickAt(tick).high - window.startAtMs, full));
        continue;
      }
      for (const [from, part] of ways) {
        const step = partOfTicks(earlier, sample, { from, to: tick }, trial);
        if (step) next.set(tick, either(next.get(tick), addParts(part, step)));
      }
    }
    if (next.size === 0) return null;
    ways = next;
    earlier = sample;
  }
  const ends = [...ways].map(([tick, part]) =>
    addParts(part, unknownPart(window.endAtMs - tickAt(tick).low, full)),
  );
  return ends.reduce<IdlePart | undefined>((all, end) => either(all, end), undefined) ?? null;
}

/** Numbers that the newest tick at a sample may have. */
function newestTicks({ atMs, unsureMs }: RateSample, tickAt: PhaseTrial['tickAt']): number[] {
  const origin = tickAt(0);
  const least = Math.floor((atMs - unsureMs - origin.high) / TICK_MS);
  const most = Math.floor((atMs + unsureMs - origin.low) / TICK_MS);
  return Array.from({ length: most - least + 1 }, (_, i) => least + i);
}

/** Idle in the window from the ticks between two samples; null when the samples contradict that many ticks. */
function partOfTicks(
  earlier: RateSample,
  later: RateSample,
  { from, to }: { readonly from: number; readonly to: number },
  { window, full, average, tickAt }: PhaseTrial,
): IdlePart | null {
  const hasMoved = later.rate !== earlier.rate;
  if (to <= from) return to === from && !hasMoved ? NO_PART : null;
  const stretch = { fromMs: tickAt(from), toMs: tickAt(to) };
  if (!hasMoved) {
    const anything = { low: 0, high: Number.POSITIVE_INFINITY, estimate: 0 };
    return { ...partInWindow({ ...stretch, idleMs: anything }, window, full), coveredMs: 0 };
  }
  const ticks = ticksBetween(earlier.rate, later.rate, to - from, average);
  if (!ticks) return null;
  const idleMs = {
    low: ticks.lowSum * TICK_MS,
    high: ticks.highSum * TICK_MS,
    estimate: ticks.steady * (to - from) * TICK_MS,
  };
  return partInWindow({ ...stretch, idleMs }, window, full);
}

/** What holds when one of two ways is the true one, each as likely. */
function either(a: IdlePart | undefined, b: IdlePart): IdlePart {
  if (!a) return b;
  return {
    low: Math.min(a.low, b.low),
    high: Math.max(a.high, b.high),
    estimate: (a.estimate + b.estimate) / 2,
    coveredMs: (a.coveredMs + b.coveredMs) / 2,
  };
}

/** Bounds that hold for every phase left; the estimate is the middle one, which an odd phase cannot pull. */
function overPhases(parts: readonly IdlePart[], window: Window, full: number): Bounded | null {
  const lastsMs = window.endAtMs - window.startAtMs;
  const ratios = parts
    .filter((part) => part.coveredMs >= LEAST_COVERED_SHARE * lastsMs)
    .map((part) => part.estimate / part.coveredMs)
    .sort((a, b) => a - b);
  const middle = ratios[Math.floor(ratios.length / 2)];
  if (middle === undefined || ratios.length < parts.length / 2) return null;
  const waitErrorMs = full * LONGEST_WAIT_MS;
  const low = Math.max(0, Math.min(...parts.map((part) => part.low)) - waitErrorMs) / lastsMs;
  const high = Math.min(full, (Math.max(...parts.map((part) => part.high)) + waitErrorMs) / lastsMs);
  return { low: Math.min(low, high), high, estimate: Math.min(high, Math.max(low, middle)) };
}
