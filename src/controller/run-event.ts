import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import type { TrialRecord } from '../../boundary/run-document.ts';
import type { RunProbe, RunTrial } from '../../boundary/search/search.ts';

/**
 * How far a trial is. `elapsedSeconds` counts from the start of the stage, negative before the load starts; a warm-up lasts
 * until the brokers are steady, a window is lengthened when its verdict is undecided.
 */
export interface TrialStage {
  readonly name: 'warm-up' | 'window';
  readonly elapsedSeconds: number;
  readonly plannedSeconds: number;
}

/**
 * What a run tells while it goes on; the command line, and later the page, show it. Probes and trials are told with the
 * steps and windows that the signals need.
 */
export type RunEvent =
  | { readonly type: 'step'; readonly text: string }
  /** A run that was cut off goes on; so many trials are recorded. */
  | { readonly type: 'goesOn'; readonly trials: number }
  | { readonly type: 'probeStarted'; readonly probe: RunProbe; readonly etaSeconds: number }
  | { readonly type: 'trialStarted'; readonly trial: RunTrial; readonly etaSeconds: number }
  | {
      readonly type: 'polled';
      readonly idleByBroker: Readonly<Record<string, number>>;
      /** null while probing. */
      readonly stage: TrialStage | null;
    }
  | { readonly type: 'trialFinished'; readonly record: TrialRecord; readonly etaSeconds: number }
  | { readonly type: 'pointFinished'; readonly point: BoundaryPoint }
  | { readonly type: 'warning'; readonly text: string };

export type RunObserver = (event: RunEvent) => void;
