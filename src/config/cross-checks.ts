import { formatDuration } from './duration.ts';
import { formatSizes, isSizeRange, type MessageSizes } from './message-sizes.ts';

/** The settings that are checked against each other. */
interface CheckedTogether {
  readonly bpm: MessageSizes;
  readonly strategy: string;
  readonly signals: { readonly source: string };
  readonly holdMs: number | null;
  readonly timeBudgetMs: number | null;
  readonly trial: {
    readonly windowMs: number;
    readonly maxWindowMs: number;
    readonly pollIntervalMs: number;
  };
  readonly load: { readonly targetNp: number; readonly maxNp: number };
}

export interface ProblemSink {
  addIssue(issue: { code: 'custom'; path: string[]; message: string }): void;
}

/** A window needs this many looks at a broker before missed polls can be told from health. */
const MIN_POLLS_IN_WINDOW = 5;

/** Checks that settings make sense together; each problem is put on the setting most likely meant. */
export function checkTogether(config: CheckedTogether, sink: ProblemSink): void {
  const { trial, load } = config;
  const report = (path: string[], message: string) => sink.addIssue({ code: 'custom', path, message });
  if (trial.windowMs > trial.maxWindowMs) {
    report(
      ['trial', 'windowMs'],
      `is ${formatDuration(trial.windowMs)}, longer than trial.maxWindowMs (${formatDuration(trial.maxWindowMs)})`,
    );
  }
  if (trial.windowMs < MIN_POLLS_IN_WINDOW * trial.pollIntervalMs) {
    report(
      ['trial', 'windowMs'],
      `is ${formatDuration(trial.windowMs)}, too short for ${MIN_POLLS_IN_WINDOW} polls every ` +
        `${formatDuration(trial.pollIntervalMs)} (trial.pollIntervalMs)`,
    );
  }
  if (config.holdMs !== null && config.holdMs <= trial.windowMs) {
    report(
      ['holdMs'],
      `is ${formatDuration(config.holdMs)}, no longer than a window of any trial (trial.windowMs, ${formatDuration(trial.windowMs)})`,
    );
  }
  if (config.holdMs !== null && config.timeBudgetMs !== null && config.holdMs >= config.timeBudgetMs) {
    report(
      ['holdMs'],
      `is ${formatDuration(config.holdMs)}, which leaves nothing of timeBudgetMs (${formatDuration(config.timeBudgetMs)}) to find a limit in`,
    );
  }
  if (isSizeRange(config.bpm)) checkRange(config.bpm, config, report);
  if (load.targetNp > load.maxNp) {
    report(['load', 'targetNp'], `is ${load.targetNp}, more than load.maxNp (${load.maxNp})`);
  }
}

/** Only a model of the curve can tell where between two sizes it is least known. */
function checkRange(
  range: Extract<MessageSizes, { readonly from: number }>,
  { strategy, signals }: CheckedTogether,
  report: (path: string[], message: string) => void,
): void {
  const inTheWay =
    strategy !== 'adaptive'
      ? `strategy is ${strategy}`
      : signals.source === 'none'
        ? 'signals.source is none'
        : null;
  if (inTheWay === null) return;
  report(['bpm'], `is the range ${formatSizes(range)}, but ${inTheWay}: give a list of sizes`);
}
