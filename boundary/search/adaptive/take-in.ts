import type { ProbeFinished, RunProbe, RunTrial, TrialFinished } from '../search.ts';
import type { SizeState } from './adaptive-state.ts';

/** A size of which nothing is known yet. */
export function untried(messageBytes: number): SizeState {
  return { messageBytes, unitRate: null, probes: [], trials: [], seconds: 0 };
}

/** The sizes, with what a probe has read. */
export function withProbe(
  sizes: readonly SizeState[],
  command: RunProbe,
  event: ProbeFinished,
): readonly SizeState[] {
  const { np, stepMs } = command;
  return sizes.map((size) =>
    size.messageBytes === command.messageBytes
      ? {
          ...size,
          probes: [...size.probes, { np, stepMs, steps: event.steps }],
          seconds: size.seconds + event.seconds,
        }
      : size,
  );
}

/** The sizes, with what a trial has come to. */
export function withTrial(
  sizes: readonly SizeState[],
  command: RunTrial,
  event: TrialFinished,
): readonly SizeState[] {
  return sizes.map((size) => {
    if (size.messageBytes !== command.messageBytes) return size;
    const { np, unitRate, windowMs, purpose } = command;
    const { verdict, offeredPerSecond, ackedPerSecond, idleByBroker, windowSeconds, atSeconds } = event;
    const trial = {
      np,
      unitRate,
      purpose,
      verdict,
      offeredPerSecond,
      ackedPerSecond,
      idleByBroker,
      plannedWindowMs: windowMs,
      windowSeconds,
      atSeconds,
    };
    return {
      ...size,
      // A reference repeats an early trial at the rate of then.
      unitRate: purpose === 'reference' ? size.unitRate : unitRate,
      trials: [...size.trials, trial],
      seconds: size.seconds + event.seconds,
    };
  });
}
