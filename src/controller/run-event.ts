import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import type { TrialRecord } from '../../boundary/run-document.ts';
import type { RunProbe, RunTrial } from '../../boundary/search/search.ts';

/** What a run tells while it goes on; the command line, and later the page, show it. */
export type RunEvent =
  | { readonly type: 'step'; readonly text: string }
  | { readonly type: 'probeStarted'; readonly probe: RunProbe; readonly etaSeconds: number }
  | { readonly type: 'trialStarted'; readonly trial: RunTrial; readonly etaSeconds: number }
  | { readonly type: 'polled'; readonly idleByBroker: Readonly<Record<string, number>> }
  | { readonly type: 'trialFinished'; readonly record: TrialRecord; readonly etaSeconds: number }
  | { readonly type: 'pointFinished'; readonly point: BoundaryPoint }
  | { readonly type: 'warning'; readonly text: string };

export type RunObserver = (event: RunEvent) => void;
