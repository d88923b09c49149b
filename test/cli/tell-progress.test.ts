import { describe, expect, it } from 'vitest';
import type { RunProbe, RunTrial } from '../../boundary/search/search.ts';
import type { ProgressEvent } from '../../src/cli/progress-event.ts';
import { tellProgress } from '../../src/cli/tell-progress.ts';
import type { RunEvent } from '../../src/controller/run-event.ts';
import { samplePlan, sampleRecord } from '../store/sample-trial.ts';

const WHY = 'limit near np 51 (44-58), least certain of 3 sizes';
const TRIAL: RunTrial = { ...samplePlan(1), type: 'runTrial', lower: 900, upper: null, why: WHY };
const PROBE: RunProbe = {
  type: 'runProbe',
  probeId: 'p',
  messageBytes: 1_000,
  np: 50,
  unitRates: [10, 20],
  stepMs: 3_000,
  warmUpMs: 2_000,
  why: 'a rough idea of the limit',
};

function told(...events: RunEvent[]): ProgressEvent[] {
  const progress: ProgressEvent[] = [];
  const observe = tellProgress({ tell: (event) => void progress.push(event), close: () => {} });
  for (const event of events) observe(event);
  return progress;
}

describe('tellProgress', () => {
  it('says of each trial why it runs, what it offers and how long it takes', () => {
    expect(told({ type: 'trialStarted', trial: TRIAL, etaSeconds: 90 })).toEqual([
      { type: 'eta', trialsDone: 0, secondsLeft: 90 },
      {
        type: 'trial started',
        sequence: 1,
        messageBytes: 1_000,
        np: 51,
        unitRate: 20.5,
        purpose: 'bisect',
        lower: 900,
        upper: null,
        planSeconds: 18,
        why: WHY,
      },
    ]);
  });

  it('says of a probe why, too', () => {
    expect(told({ type: 'probeStarted', probe: PROBE, etaSeconds: 90 }).at(-1)).toEqual({
      type: 'note',
      text: 'probing 1 kB with 50 producers, doubling the rate every 3 s: a rough idea of the limit',
    });
  });

  it('numbers the trials of a run that goes on after those that it has', () => {
    const events = told(
      { type: 'goesOn', trials: 14 },
      { type: 'trialStarted', trial: TRIAL, etaSeconds: 90 },
    );
    expect(events.slice(1)).toMatchObject([{ trialsDone: 14 }, { sequence: 15 }]);
  });

  it('counts the trials that are done', () => {
    const record = { ...sampleRecord(3), why: WHY };
    expect(told({ type: 'trialFinished', record, etaSeconds: 0 })).toEqual([
      { type: 'trial finished', record },
      { type: 'eta', trialsDone: 3, secondsLeft: 0 },
    ]);
  });

  it('keeps what a cluster or a page said from driving the terminal', () => {
    expect(told({ type: 'warning', text: 'page \u001b[2J gone' })).toEqual([
      { type: 'note', text: expect.not.stringContaining('\u001b') },
    ]);
  });
});
