import type { ProgressSink, WriteText } from './progress-event.ts';
import { etaText, pointFinishedText, trialFinishedText, trialStartedText } from './progress-text.ts';

/** Progress for logs and pipes: a line when something starts or ends, none for polls, nothing redrawn. */
export function plainProgress(write: WriteText): ProgressSink {
  let trialsTold = -1;
  return {
    tell(event) {
      switch (event.type) {
        case 'trial started':
          write(`${trialStartedText(event)}  ${Math.round(event.planSeconds)} s\n`);
          if (event.why !== '') write(`    ${event.why}\n`);
          return;
        case 'trial finished':
          write(`${trialFinishedText(event.record)}\n`);
          return;
        case 'point finished':
          write(`${pointFinishedText(event.point)}\n`);
          return;
        case 'eta':
          // the estimate changes with every event; a log needs it once a trial
          if (event.trialsDone !== trialsTold) write(`${etaText(event)}\n`);
          trialsTold = event.trialsDone;
          return;
        case 'note':
          write(`${event.text}\n`);
          return;
        case 'poll':
          return;
      }
    },
    close() {},
  };
}
