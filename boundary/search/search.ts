import type { BoundaryPoint } from '../boundary-point.ts';
import type { DiskCeiling } from '../disk-budget.ts';
import type { FleetCapacity } from '../fleet-capacity.ts';
import type { TrialPlan } from '../trial.ts';
import type { Verdict } from '../verdict.ts';
import type { Remaining } from './remaining.ts';

/**
 * The seam between what runs trials and what decides them. A strategy is asked for the next command and told every
 * result; it holds no clock, no I/O and no randomness, and its state is JSON, so the log of events replays to the same
 * commands. Loads are offered messages per second, np producers x unit rate.
 */
export interface SearchStrategy<State> {
  start(config: SearchConfig): State;
  /** Takes in a result. Late, repeated or foreign events change nothing. */
  tell(state: State, event: SearchEvent): State;
  /** The command that is due; asking twice gives the same one. */
  ask(state: State): SearchCommand;
  /** What is likely still to come. */
  remaining(state: State): Remaining;
  /** Points that will not change any more. */
  finished(state: State): readonly BoundaryPoint[];
  /** The answer as it stands: every size that has a valid trial. For a run that is cut short. */
  soFar(state: State): readonly BoundaryPoint[];
}

export interface SearchConfig {
  /** Message sizes, bytes; of a range those to start with. */
  readonly sizes: readonly number[];
  /** The curve between these sizes is asked for, and the search picks the sizes; the adaptive search alone can. */
  readonly sizeRange?: SizeRange;
  /** 0 = bounds as published, 1 = each bound repeated before it is reported. */
  readonly confirm: 0 | 1;
  /** Bracket width over upper bound at which a point is found, 0..1; 0 = to a single producer. */
  readonly precision: number;
  /** The unit rate is chosen so that the boundary falls near this np. */
  readonly targetNp: number;
  /** More producers than this are never asked for; the unit rate is raised instead. */
  readonly maxNp: number;
  /** Never offer more than this, MB/s; null = no guard. */
  readonly maxMegabytesPerSecond: number | null;
  /** What the workers can offer, never more is asked for; missing: not known. */
  readonly fleet?: FleetCapacity;
  /** What the disks of the brokers may take of one trial, never more is asked for; missing: no such limit. */
  readonly disk?: DiskCeiling;
  /** A size that has taken this many trials ends with the bounds that it has, once it has both. */
  readonly maxTrials: number;
  readonly idleLimit: number;
  /** The run does not read the brokers' signals: delivery alone tells. */
  readonly withoutSignals?: boolean;
  readonly warmUpMs: number;
  readonly windowMs: number;
  /** A window this long can see a follower leave the ISR: 1.5 x replica.lag.time.max.ms. */
  readonly isrHoldMs: number;
  readonly probeStepMs: number;
  /** The search ends with what it has before it takes longer than this, seconds; null or missing: no such limit. */
  readonly timeBudgetSeconds?: number | null;
  /** Every point found is held for this long; 0 or missing: no holds. */
  readonly holdMs?: number;
  /** What a former run of the same cluster found: a few trials confirm or refute it. The adaptive search alone uses it. */
  readonly former?: readonly FormerLimit[];
  /** For tests and known clusters: np surely overloading, at this unit rate; skips probe and gallop. */
  readonly known?: { readonly unitRate: number; readonly overloadedNp: number };
}

/** All sizes from one to another, bytes. */
export interface SizeRange {
  readonly from: number;
  readonly to: number;
}

/** The limit of a size as a former run found it, with its 95 % interval; messages per second. */
export interface FormerLimit {
  readonly messageBytes: number;
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

export type SearchEvent = ProbeFinished | TrialFinished;

/** One step of a probe: the worst broker's idle (null = could not be read) and acked / offered. */
export interface ProbeStep {
  readonly unitRate: number;
  readonly idle: number | null;
  readonly ackedShare: number;
  /** The load was stopped in this step, for it put the cluster at risk: it is too much, whatever its figures. */
  readonly isAtRisk?: true;
}

export interface ProbeFinished {
  readonly type: 'probeFinished';
  readonly probeId: string;
  readonly steps: readonly ProbeStep[];
  readonly seconds: number;
}

export interface TrialFinished {
  readonly type: 'trialFinished';
  readonly trialId: string;
  readonly verdict: Verdict;
  readonly offeredPerSecond: number;
  readonly ackedPerSecond: number;
  /** Windowed idle 0..1 by broker id; null where it could not be read. */
  readonly idleByBroker: Readonly<Record<string, number | null>>;
  /** The measured window, seconds: it may have ended early, or been lengthened. Of a hold: the part that was judged. */
  readonly windowSeconds: number;
  /** A hold was sustained for this long, seconds; missing for other trials. */
  readonly heldSeconds?: number;
  /** When the trial ended, seconds since the run's start; rests of an interrupted run count. */
  readonly atSeconds: number;
  readonly seconds: number;
}

export type SearchCommand = RunProbe | RunTrial | SearchDone;

/** Offer np producers at one unit rate after another, and stop at the first that overloads. */
export interface RunProbe {
  readonly type: 'runProbe';
  readonly probeId: string;
  readonly messageBytes: number;
  readonly np: number;
  readonly unitRates: readonly number[];
  readonly stepMs: number;
  /** The first rate is offered this long before the first step is read. */
  readonly warmUpMs: number;
  readonly why: string;
}

export interface RunTrial extends TrialPlan {
  readonly type: 'runTrial';
  /** Bounds so far, messages per second, for the progress line. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly why: string;
}

/** What of a command the trial is run by, and recorded with. */
export function planOf(command: RunTrial): TrialPlan {
  const { trialId, messageBytes, np, unitRate, warmUpMs, windowMs, purpose } = command;
  return { trialId, messageBytes, np, unitRate, warmUpMs, windowMs, purpose };
}

export interface SearchDone {
  readonly type: 'done';
  readonly points: readonly BoundaryPoint[];
}

/** Tells an event and asks for what follows: the reducer that a run is driven by. */
export function step<State>(
  strategy: SearchStrategy<State>,
  state: State,
  event: SearchEvent,
): { readonly state: State; readonly command: SearchCommand } {
  const next = strategy.tell(state, event);
  return { state: next, command: strategy.ask(next) };
}

/** Folds an event log into the state that it leads to. */
export function replay<State>(
  strategy: SearchStrategy<State>,
  config: SearchConfig,
  events: readonly SearchEvent[],
): State {
  return events.reduce<State>((state, event) => strategy.tell(state, event), strategy.start(config));
}
