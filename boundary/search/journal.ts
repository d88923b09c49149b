import type { TrialRecord } from '../run-document.ts';
import type { TrialPlan } from '../trial.ts';
import type {
  ProbeFinished,
  RunProbe,
  RunTrial,
  SearchCommand,
  SearchConfig,
  SearchEvent,
} from './search.ts';
import { openSearch, type StrategyName } from './strategies.ts';

/** A decision of a search, made again from what was known before it, and what came of it. */
export type JournalEntry =
  | {
      readonly kind: 'probe';
      readonly command: RunProbe;
      readonly event: ProbeFinished;
    }
  | {
      readonly kind: 'trial';
      readonly command: RunTrial;
      readonly record: TrialRecord;
    };

/** What a search decided, step by step, and whether it would decide so again. */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** The command that is due after the last event; `done` of a search that came to its end. Null after a difference. */
  readonly pending: SearchCommand | null;
  /** Where the decision made again is not the recorded one, in one sentence; nothing after it could be compared. */
  readonly difference: string | null;
}

/** What a run left behind, as its store has it. */
export interface RecordedSearch {
  readonly strategy: StrategyName;
  readonly config: SearchConfig;
  readonly events: readonly SearchEvent[];
  readonly trials: readonly TrialRecord[];
  /** The search came to its end. */
  readonly isFinished: boolean;
}

/** Makes every decision of a recorded search again. */
export function replayJournal(recorded: RecordedSearch): Journal {
  const { strategy, config, events, trials, isFinished } = recorded;
  const records = new Map(trials.map((record) => [record.plan.trialId, record]));
  const entries: JournalEntry[] = [];
  let search = openSearch(strategy, config);
  for (const event of events) {
    const entry = entryOf(search.command, event, records);
    if (typeof entry === 'string') return { entries, pending: null, difference: entry };
    entries.push(entry);
    search = search.tell(event);
  }
  if (isFinished && search.command.type !== 'done') {
    const difference = `the search ended here, now ${decisionText(search.command)} is decided`;
    return { entries, pending: null, difference };
  }
  return { entries, pending: search.command, difference: null };
}

/** The entry, or how the decision differs from what was recorded. */
function entryOf(
  command: SearchCommand,
  event: SearchEvent,
  records: ReadonlyMap<string, TrialRecord>,
): JournalEntry | string {
  if (event.type === 'probeFinished') {
    if (command.type !== 'runProbe') return `a probe was recorded, now ${decisionText(command)} is decided`;
    const isSame =
      command.probeId === event.probeId &&
      event.steps.every(({ unitRate }, step) => unitRate === command.unitRates[step]);
    return isSame
      ? { kind: 'probe', command, event }
      : `probe ${event.probeId} went through other rates than are decided now`;
  }
  const record = records.get(event.trialId);
  if (record === undefined) return `trial ${event.trialId} has an event, but no record`;
  const name = `trial #${record.sequence}`;
  if (command.type !== 'runTrial')
    return `${name} ran ${planText(record.plan)}, now ${decisionText(command)} is decided`;
  const differing = PLAN_PARTS.filter((part) => command[part] !== record.plan[part]);
  if (differing.length > 0) {
    return `${name} ran ${planText(record.plan)}, now ${planText(command)} is decided (${differing.join(', ')} differ)`;
  }
  return { kind: 'trial', command, record };
}

const PLAN_PARTS = [
  'trialId',
  'messageBytes',
  'np',
  'unitRate',
  'warmUpMs',
  'windowMs',
  'purpose',
] as const satisfies readonly (keyof TrialPlan)[];

function decisionText(command: SearchCommand): string {
  switch (command.type) {
    case 'runProbe':
      return `a probe of ${command.messageBytes} B`;
    case 'runTrial':
      return planText(command);
    case 'done':
      return 'the end';
  }
}

function planText({ np, unitRate, messageBytes, windowMs, purpose }: TrialPlan): string {
  return `np ${np} x ${unitRate}/s of ${messageBytes} B for ${windowMs / 1_000} s as ${purpose}`;
}
