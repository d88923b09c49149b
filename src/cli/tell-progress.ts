import type { RunEvent, RunObserver } from '../controller/run-event.ts';
import type { ProgressSink } from './progress-event.ts';

/** Puts what a run tells into the words of the progress display. */
export function tellProgress(sink: ProgressSink): RunObserver {
  let sequence = 0;
  let startedMs = performance.now();
  const tellEta = (etaSeconds: number) =>
    sink.tell({ type: 'eta', trialsDone: sequence, secondsLeft: etaSeconds });
  return (event: RunEvent) => {
    switch (event.type) {
      case 'step':
        return sink.tell({ type: 'note', text: event.text });
      case 'warning':
        return sink.tell({ type: 'note', text: `warning: ${event.text}` });
      case 'probeStarted':
        startedMs = performance.now();
        tellEta(event.etaSeconds);
        return sink.tell({ type: 'note', text: probeText(event.probe.messageBytes, event.probe.np) });
      case 'trialStarted': {
        startedMs = performance.now();
        const { messageBytes, np, unitRate, purpose, warmUpMs, windowMs } = event.trial;
        tellEta(event.etaSeconds);
        return sink.tell({
          type: 'trial started',
          sequence: sequence + 1,
          messageBytes,
          np,
          unitRate,
          purpose,
          lower: inProducers(event.trial.lower, unitRate),
          upper: inProducers(event.trial.upper, unitRate),
          planSeconds: (warmUpMs + windowMs) / 1_000,
        });
      }
      case 'polled':
        return sink.tell({
          type: 'poll',
          elapsedSeconds: (performance.now() - startedMs) / 1_000,
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

function probeText(messageBytes: number, np: number): string {
  return `probing ${messageBytes} B with ${np} producers, doubling the rate`;
}

function inProducers(load: number | null, unitRate: number): number | null {
  return load === null ? null : Math.round(load / unitRate);
}
