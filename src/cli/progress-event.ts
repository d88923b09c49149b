import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import type { TrialRecord } from '../../boundary/run-document.ts';
import type { TrialPurpose } from '../../boundary/trial.ts';
import type { TrialStage } from '../controller/run-event.ts';

/** What a run tells the person who watches it. Bounds are messages per second; `planSeconds` is warm-up plus window. */
export type ProgressEvent =
  | {
      readonly type: 'trial started';
      readonly sequence: number;
      readonly messageBytes: number;
      readonly np: number;
      /** Messages per second of one producer. */
      readonly unitRate: number;
      readonly lower: number | null;
      readonly upper: number | null;
      readonly purpose: TrialPurpose;
      readonly planSeconds: number;
      /** Why the search asked for it, one sentence. */
      readonly why: string;
    }
  | {
      readonly type: 'poll';
      /** null while probing. */
      readonly stage: TrialStage | null;
      /** Idle ratio of the last seconds per broker id; null where the page did not answer. */
      readonly idleByBroker: Readonly<Record<string, number | null>>;
    }
  | { readonly type: 'trial finished'; readonly record: TrialRecord }
  | { readonly type: 'point finished'; readonly point: BoundaryPoint }
  | {
      readonly type: 'eta';
      readonly trialsDone: number;
      readonly secondsLeft: number | null;
      /** The time is that of a simulation, which passes faster. */
      readonly isSimulated?: true;
    }
  /** Anything else worth a line: probing, draining, a trial that is run again. */
  | { readonly type: 'note'; readonly text: string };

/** Shows progress somewhere. `close` leaves the terminal as it found it; both are safe to call at any time. */
export interface ProgressSink {
  tell(event: ProgressEvent): void;
  close(): void;
}

/** Where a sink writes: standard error of the command, or a list in a test. */
export type WriteText = (text: string) => void;
