import { hangingText } from './hanging-text.ts';
import type { ProgressEvent, ProgressSink, WriteText } from './progress-event.ts';
import {
  cutToWidth,
  etaText,
  idleText,
  pointFinishedText,
  stageText,
  trialFinishedText,
  trialStartedText,
} from './progress-text.ts';

const CLEAR_LINE = '\r\u001b[2K';
const CLEAR_LINE_ABOVE = '\u001b[1A\u001b[2K';

export interface LiveOptions {
  readonly write: WriteText;
  /** Width of the terminal now; asked at every redraw, since people resize windows. */
  readonly columns: () => number;
  /** Idle ratio below which a broker is marked. */
  readonly idleLimit: number;
}

interface Status {
  readonly trial: string;
  readonly stage: string;
  readonly why: string;
  readonly idle: string;
  readonly eta: string;
}

/** Progress for a terminal: finished things scroll by, the trial that runs, why, and the cluster are redrawn in place. */
export function liveProgress(options: LiveOptions): ProgressSink {
  let status: Status = { trial: '', stage: '', why: '', idle: '', eta: '' };
  let drawn: readonly string[] = [];

  const erase = () => {
    // a window made narrower since has wrapped the old lines: clear as many rows as they take now
    const columns = Math.max(1, options.columns());
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
    if (rows > 0) options.write(CLEAR_LINE + CLEAR_LINE_ABOVE.repeat(rows - 1));
    drawn = [];
  };
  const draw = (permanent: string | null) => {
    erase();
    if (permanent !== null) options.write(`${wrapped(permanent, options.columns() - 1)}\n`);
    // one column stays free: some terminals wrap on a full line
    const room = options.columns() - 1;
    drawn = statusLines(status, room).map((line) => cutToWidth(line, room));
    options.write(drawn.join('\n'));
  };
  return {
    tell(event) {
      status = nextStatus(status, event, options.idleLimit);
      draw(permanentText(event));
    },
    close: erase,
  };
}

function nextStatus(status: Status, event: ProgressEvent, idleLimit: number): Status {
  switch (event.type) {
    case 'trial started':
      return {
        ...status,
        trial: trialStartedText(event),
        stage: '',
        why: event.why,
        idle: '',
      };
    case 'poll':
      return {
        ...status,
        stage: stageText(event.stage),
        idle: idleText(event.idleByBroker, idleLimit),
      };
    case 'trial finished':
      return { ...status, trial: '', stage: '', why: '', idle: '' };
    case 'eta':
      return { ...status, eta: etaText(event) };
    case 'point finished':
    case 'note':
      return status;
  }
}

function statusLines(status: Status, room: number): string[] {
  const load = [status.trial, status.stage].filter((part) => part !== '').join('  ');
  // where many brokers fill the line, their end is cut and not the time left
  const cluster = [status.eta, status.idle].filter((part) => part !== '').join('  |  ');
  return [load, ...hangingText('', status.why, room).split('\n'), cluster].filter((line) => line !== '');
}

/** Breaks a line that stays at spaces, not in mid-word; what belongs to a trial goes on beside its number. */
function wrapped(text: string, columns: number): string {
  const number = /^#\d+ {2}/.exec(text)?.[0] ?? '';
  return hangingText(number, text.slice(number.length), columns);
}

function permanentText(event: ProgressEvent): string | null {
  if (event.type === 'trial finished') return trialFinishedText(event.record);
  if (event.type === 'point finished') return pointFinishedText(event.point);
  return event.type === 'note' ? event.text : null;
}
