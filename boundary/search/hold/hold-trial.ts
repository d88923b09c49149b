import type { HoldDrop } from '../../boundary-point.ts';
import type { OverloadedVerdict, Verdict } from '../../verdict.ts';
import type { RunTrial, TrialFinished } from '../search.ts';

/** A load that was held, and what came of it. */
export interface HoldTrial {
  readonly messageBytes: number;
  readonly np: number;
  readonly unitRate: number;
  readonly verdict: Verdict;
  /** Of the part that was judged, as are the next two: where the hold dropped, that of the drop. */
  readonly offeredPerSecond: number;
  readonly ackedPerSecond: number;
  /** Idle of the worst broker, 0..1; null when none could be read. */
  readonly worstIdle: number | null;
  readonly heldSeconds: number;
  readonly seconds: number;
}

export interface DroppedHold extends HoldTrial {
  readonly verdict: OverloadedVerdict;
}

/** What the holds of one size amount to; the smallest drop always lies above the largest load that lasted. */
export interface HoldBracket {
  readonly lasted: HoldTrial | null;
  readonly dropped: DroppedHold | null;
  /** In the order in which they were held. */
  readonly drops: readonly DroppedHold[];
  /** Holds that gave an answer. */
  readonly valid: number;
  /** Invalid holds since the last valid one. */
  readonly spoilt: number;
}

export function holdTrialOf(command: RunTrial, event: TrialFinished): HoldTrial {
  const { messageBytes, np, unitRate } = command;
  const { verdict, offeredPerSecond, ackedPerSecond, idleByBroker, seconds } = event;
  const readings = Object.values(idleByBroker).flatMap((idle) => (idle === null ? [] : [idle]));
  return {
    messageBytes,
    np,
    unitRate,
    verdict,
    offeredPerSecond,
    ackedPerSecond,
    worstIdle: readings.length === 0 ? null : Math.min(...readings),
    // Who does not say how long it lasted has seen nothing last.
    heldSeconds: event.heldSeconds ?? 0,
    seconds,
  };
}

/** Offered messages per second. */
export function heldLoad({ np, unitRate }: Pick<HoldTrial, 'np' | 'unitRate'>): number {
  return np * unitRate;
}

export function holdBracketOf(trials: readonly HoldTrial[]): HoldBracket {
  const lasting = trials.filter(({ verdict }) => verdict.kind === 'sustained');
  const drops = trials.filter(isDropped);
  return {
    lasted: lasting.reduce<HoldTrial | null>(
      (most, trial) => (most && heldLoad(most) >= heldLoad(trial) ? most : trial),
      null,
    ),
    dropped: drops.reduce<DroppedHold | null>(
      (least, trial) => (least && heldLoad(least) <= heldLoad(trial) ? least : trial),
      null,
    ),
    drops,
    valid: lasting.length + drops.length,
    spoilt: trials.length - 1 - trials.findLastIndex(({ verdict }) => verdict.kind !== 'invalid'),
  };
}

export function dropOf({ offeredPerSecond, heldSeconds, verdict }: DroppedHold): HoldDrop {
  return { messagesPerSecond: offeredPerSecond, afterSeconds: heldSeconds, rule: verdict.rule };
}

function isDropped(trial: HoldTrial): trial is DroppedHold {
  return trial.verdict.kind === 'overloaded';
}
