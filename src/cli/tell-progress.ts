import type { RunProbe } from '../../boundary/search/search.ts';
import { formatBytes } from '../../boundary/units.ts';
import { formatSeconds } from '../../charts/number-text.ts';
import type { RunEvent, RunObserver } from '../controller/run-event.ts';
import { printable } from '../printable.ts';
import type { ProgressSink } from './progress-event.ts';

/** Puts what a run tells into the words of the progress display. */
export function tellProgress(sink: ProgressSink): RunObserver {
  let sequence = 0;
  const tellEta = (etaSeconds: number) =>
    sink.tell({ type: 'eta', trialsDone: sequence, secondsLeft: etaSeconds });
  return (event: RunEvent) => {
    switch (event.type) {
      case 'step':
        return sink.tell({ type: 'note', text: printable(event.text) });
      case 'warning':
        return sink.tell({ type: 'note', text: printable(`warning: ${event.text}`) });
      case 'goesOn':
        sequence = event.trials;
        return sink.tell({ type: 'note', text: `going on; trials recorded before: ${event.trials}` });
      case 'probeStarted':
        tellEta(event.etaSeconds);
        return sink.tell({ type: 'note', text: probeText(event.probe) });
      case 'trialStarted': {
        const { messageBytes, np, unitRate, purpose, warmUpMs, windowMs } = event.trial;
        tellEta(event.etaSeconds);
        return sink.tell({
          type: 'trial started',
          sequence: sequence + 1,
          messageBytes,
          np,
          unitRate,
          purpose,
          lower: event.trial.lower,
          upper: event.trial.upper,
          planSeconds: (warmUpMs + windowMs) / 1_000,
          why: event.trial.why,
        });
      }
      case 'polled':
        return sink.tell({
          type: 'poll',
          stage: event.stage,
          idleByBroker: event.idleByBroker,
        });
      case 'trialFinished':
        sequence = event.record.sequence;
        sink.tell({ type: 'trial finished', record: event.record });
        return tellEta(event.etaSeconds);
      case 'pointFinished':
        return sink.tell({ type: 'point finished', point: event.point });
    }
  };
}

function probeText({ messageBytes, np, stepMs, why }: RunProbe): string {
  const probe = `probing ${formatBytes(messageBytes)} with ${np} producers, doubling the rate every ${formatSeconds(stepMs / 1_000)}`;
  return why === '' ? probe : `${probe}: ${why}`;
}
