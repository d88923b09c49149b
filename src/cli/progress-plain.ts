import type { ProgressSink, WriteText } from './progress-event.ts';
import { etaText, pointFinishedText, trialFinishedText, trialStartedText } from './progress-text.ts';

/** Progress for logs and pipes: a line when something starts or ends, none for polls, nothing redrawn. */
export function plainProgress(write: WriteText): ProgressSink {
  let lastEta = '';
  return {
    tell(event) {
      switch (event.type) {
        case 'trial started':
          write(`#${event.sequence}  ${trialStartedText(event)}  ${Math.round(event.planSeconds)} s\n`);
          return;
        case 'trial finished':
          write(`${trialFinishedText(event.record)}\n`);
          return;
        case 'point finished':
          write(`${pointFinishedText(event.point)}\n`);
          return;
        case 'eta': {
          const eta = etaText(event.trialsDone, event.secondsLeft);
          if (eta !== lastEta) write(`${eta}\n`);
          lastEta = eta;
          return;
        }
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
