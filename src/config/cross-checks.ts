import { formatDuration } from './duration.ts';

/** The settings that are checked against each other. */
interface CheckedTogether {
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
  if (load.targetNp > load.maxNp) {
    report(['load', 'targetNp'], `is ${load.targetNp}, more than load.maxNp (${load.maxNp})`);
  }
}
