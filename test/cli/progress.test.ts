import { describe, expect, it } from 'vitest';
import { createProgress } from '../../src/cli/progress.ts';
import type { ProgressEvent, ProgressSink } from '../../src/cli/progress-event.ts';
import { liveProgress } from '../../src/cli/progress-live.ts';
import { stageText } from '../../src/cli/progress-text.ts';
import type { TrialStage } from '../../src/controller/run-event.ts';
import { point, trial } from '../charts/sample-document.ts';

function stage(name: TrialStage['name'], elapsedSeconds: number): TrialStage {
  return { name, elapsedSeconds, plannedSeconds: name === 'window' ? 15 : 3 };
}

const STORY: readonly ProgressEvent[] = [
  { type: 'note', text: 'probing 1 kB' },
  {
    type: 'trial started',
    sequence: 7,
    messageBytes: 1_000,
    np: 48,
    unitRate: 80,
    lower: 3_200,
    upper: null,
    purpose: 'bisect',
    planSeconds: 18,
    why: 'half of the bracket',
  },
  { type: 'eta', trialsDone: 6, secondsLeft: 245 },
  { type: 'poll', stage: stage('warm-up', -1.5), idleByBroker: { '1': 0.9, '2': 0.9, '10': null } },
  { type: 'poll', stage: stage('window', 12.4), idleByBroker: { '10': null, '1': 0.34, '2': 0.1999 } },
  { type: 'trial finished', record: trial(7, 1_000, 48, 80, 0.26) },
  { type: 'point finished', point: point(1_000, 4_000, 4_230) },
];

const ESCAPE = '\u001b';

/** The rows a terminal of this width would show: text, carriage return, line feed, cursor up, clear line. */
function screen(output: string, columns: number): string[] {
  const rows: string[] = [''];
  let row = 0;
  let column = 0;
  for (const [token] of output.matchAll(new RegExp(`${ESCAPE}\\[1A|${ESCAPE}\\[2K|[^${ESCAPE}]`, 'g'))) {
    if (token === '\u001b[1A') row = Math.max(0, row - 1);
    else if (token === '\u001b[2K') rows[row] = '';
    else if (token === '\r') column = 0;
    else if (token === '\n') [row, column] = [row + 1, 0];
    else {
      if (column === columns) [row, column] = [row + 1, 0];
      rows[row] = (rows[row] ?? '').padEnd(column).slice(0, column) + token;
      column += 1;
    }
    rows[row] ??= '';
  }
  return rows;
}

function told(sink: ProgressSink, events: readonly ProgressEvent[]): void {
  for (const event of events) sink.tell(event);
}

function live(events: readonly ProgressEvent[], columns: number): string {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  told(liveProgress({ write, columns: () => columns, idleLimit: 0.2 }), events);
  return output;
}

describe('live progress', () => {
  it('keeps three lines at the bottom, redrawn, marks the broker below the limit and the one that is silent', () => {
    expect(screen(live(STORY.slice(0, 5), 100), 100)).toEqual([
      'probing 1 kB',
      '#7  1 kB  np 48 = 3,840/s  bounds 3,200..?/s  window 12/15 s',
      'half of the bracket',
      '6 trials done, about 4 min 05 s left  |  idle by broker 1:34% 2:19%! 10:?',
    ]);
  });

  it('lets finished trials and points scroll by above', () => {
    const rows = screen(live(STORY, 120), 120);
    expect(rows).toEqual([
      'probing 1 kB',
      '#7  1 kB  np 48  3,832/s  sustained (least idle 26.0 % on broker 2)',
      '1 kB: sustains 4,000/s, overloaded at 4,230/s, +/- 2.8 %, converged, limited by request-handler idle on broker 2',
      '6 trials done, about 4 min 05 s left',
    ]);
  });

  it('breaks what stays at spaces, beside the number of the trial', () => {
    expect(screen(live(STORY.slice(5, 6), 60), 60).slice(0, 2)).toEqual([
      '#7  1 kB  np 48  3,832/s  sustained (least idle 26.0 % on',
      '    broker 2)',
    ]);
  });

  it('breaks the reason of the trial that runs instead of cutting it', () => {
    const why = 'limit near np 54 (48-60); a 7 s window narrows it';
    const [event] = STORY.slice(1, 2).map((event) => ({ ...event, why }) as ProgressEvent);
    expect(screen(live(event ? [event] : [], 40), 40).slice(1)).toEqual([
      'limit near np 54 (48-60); a 7 s window',
      'narrows it',
    ]);
  });

  it('says which bounds are known', () => {
    const started = (lower: number | null, upper: number | null) =>
      STORY.slice(1, 2).map((event) => ({ ...event, lower, upper }) as ProgressEvent);
    expect(live(started(null, null), 100)).toContain('= 3,840/s  no bounds yet');
    expect(live(started(null, 4_000), 100)).toContain('  bounds ?..4,000/s');
    expect(live(started(3_000, 4_000), 100)).toContain('  bounds 3,000..4,000/s');
  });

  it('cuts to a narrow terminal instead of wrapping', () => {
    const rows = screen(live(STORY.slice(1, 5), 30), 30);
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row.length).toBeLessThan(30);
  });

  it('clears what a window made narrower has wrapped', () => {
    let columns = 100;
    let output = '';
    const write = (text: string) => {
      output += text;
    };
    const sink = liveProgress({ write, columns: () => columns, idleLimit: 0.2 });
    told(sink, STORY.slice(1, 5));
    columns = 40;
    output = '';
    sink.tell({ type: 'note', text: 'x' });
    expect(output.startsWith(`\r\u001b[2K${'\u001b[1A\u001b[2K'.repeat(4)}x\n`)).toBe(true);
  });

  it('leaves nothing behind when closed', () => {
    let output = '';
    const write = (text: string) => {
      output += text;
    };
    const sink = liveProgress({ write, columns: () => 100, idleLimit: 0.2 });
    told(sink, STORY.slice(0, 5));
    sink.close();
    expect(screen(output, 100).filter((row) => row !== '')).toEqual(['probing 1 kB']);
  });
});

describe('stageText', () => {
  it.each<[TrialStage | null, string, string]>([
    [null, '', 'nothing while probing'],
    [stage('warm-up', -1.5), 'starts in 2 s', 'the common start lies ahead'],
    [stage('warm-up', 4.2), 'warm-up 4 s', 'a warm-up may last longer than planned'],
    [stage('window', 0.4), 'window 0/15 s', 'the window counts from its own start'],
    [stage('window', 15.3), 'window 15/15 s', 'never past its end'],
  ])('%o: %s (%s)', (given, text) => {
    expect(stageText(given)).toBe(text);
  });
});

describe('createProgress', () => {
  const outputOf = (stream: { isTTY?: boolean; columns?: number }, isJson: boolean): string => {
    let output = '';
    const target = {
      ...stream,
      write(text: string) {
        output += text;
      },
    };
    told(createProgress(target, { isJson, idleLimit: 0.2 }), STORY);
    return output;
  };

  it('writes plain lines where there is no terminal, none for polls', () => {
    const output = outputOf({}, false);
    expect(output).not.toContain(ESCAPE);
    expect(output).not.toContain('\r');
    expect(output.trimEnd().split('\n')).toEqual([
      'probing 1 kB',
      '#7  1 kB  np 48 = 3,840/s  bounds 3,200..?/s  18 s',
      '    half of the bracket',
      '6 trials done, about 4 min 05 s left',
      '#7  1 kB  np 48  3,832/s  sustained (least idle 26.0 % on broker 2)',
      '1 kB: sustains 4,000/s, overloaded at 4,230/s, +/- 2.8 %, converged, limited by request-handler idle on broker 2',
    ]);
  });

  it('tells the time left once a trial in plain lines', () => {
    const lines: string[] = [];
    const sink = createProgress({ write: (text) => lines.push(text) }, { isJson: false, idleLimit: 0.2 });
    for (const secondsLeft of [100, 99, 98]) sink.tell({ type: 'eta', trialsDone: 3, secondsLeft });
    sink.tell({ type: 'eta', trialsDone: 4, secondsLeft: null });
    sink.tell({ type: 'eta', trialsDone: 5, secondsLeft: 0 });
    sink.tell({ type: 'eta', trialsDone: 6, secondsLeft: 60, isSimulated: true });
    expect(lines).toEqual([
      '3 trials done, about 1 min 40 s left\n',
      '4 trials done\n',
      '5 trials done\n',
      '6 trials done, about 1 min 00 s of simulated time left\n',
    ]);
  });

  it('writes one JSON object a line with --json, on a terminal too', () => {
    const lines = outputOf({ isTTY: true, columns: 80 }, true).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(STORY);
  });

  it.each([
    [{ isTTY: true, columns: 80 }, true, 'a terminal'],
    [{ isTTY: true, columns: 0 }, false, 'a terminal that does not know its width'],
    [{ isTTY: false, columns: 80 }, false, 'a pipe'],
  ])('redraws on %o: %s (%s)', (stream, isRedrawn) => {
    expect(outputOf(stream, false).includes('\u001b')).toBe(isRedrawn);
  });
});
