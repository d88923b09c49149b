import { describe, expect, it } from 'vitest';
import type { BoundaryPoint } from '../../../../boundary/boundary-point.ts';
import { holdStep } from '../../../../boundary/search/hold/hold-step.ts';
import type { HoldTrial } from '../../../../boundary/search/hold/hold-trial.ts';
import type { SearchConfig } from '../../../../boundary/search/search.ts';
import type { OverloadRule } from '../../../../boundary/verdict.ts';
import { CONFIG, verdictOf } from '../oracle.ts';

const HOLDING: SearchConfig = { ...CONFIG, holdMs: 600_000 };
const POINT: BoundaryPoint = {
  messageBytes: 1_000,
  estimate: 2_100,
  interval: null,
  lower: { np: 50, unitRate: 40, messagesPerSecond: 2_000, trials: 2 },
  upper: { np: 55, unitRate: 40, messagesPerSecond: 2_200, trials: 2 },
  quality: 'converged',
  limit: null,
  notes: [],
  trials: 8,
  seconds: 200,
};

function held(np: number, kind: 'sustained' | 'invalid', unitRate = 40): HoldTrial {
  const load = np * unitRate;
  return {
    messageBytes: 1_000,
    np,
    unitRate,
    verdict: verdictOf(kind),
    offeredPerSecond: load,
    ackedPerSecond: load,
    worstIdle: 0.3,
    heldSeconds: 600,
    seconds: 620,
  };
}

function dropped(
  np: number,
  seen: Partial<HoldTrial> = {},
  rule: OverloadRule = 'request-handler idle',
  value = 0,
): HoldTrial {
  const verdict = { kind: 'overloaded', rule, brokerId: 1, value, limit: 0.2, detail: '' } as const;
  return { ...held(np, 'invalid'), verdict, worstIdle: 0.15, heldSeconds: 220, ...seen };
}

describe('the next hold', () => {
  it.each<[string, HoldTrial[], { np: number; unitRate: number } | null]>([
    ['the bound comes first', [], { np: 50, unitRate: 40 }],
    ['it lasted: nothing more', [held(50, 'sustained')], null],
    ['invalid: the same again', [held(50, 'invalid')], { np: 50, unitRate: 40 }],
    ['invalid twice: once more', [held(50, 'invalid'), held(50, 'invalid')], { np: 50, unitRate: 40 }],
    ['invalid three times: no more', Array(3).fill(held(50, 'invalid')), null],
    // odds .15/.85 over .2/.8 = .706
    ['idle tells how far above it was', [dropped(50)], { np: 35, unitRate: 40 }],
    ['never less than half of it', [dropped(50, { worstIdle: 0.01 })], { np: 25, unitRate: 40 }],
    ['nor more than .9', [dropped(50, { worstIdle: 0.199 })], { np: 45, unitRate: 40 }],
    ['deliveries tell', [dropped(50, { ackedPerSecond: 1_600 }, 'delivery')], { np: 40, unitRate: 40 }],
    ['what consumers lacked tells', [dropped(50, {}, 'consumer lag', 0.25)], { np: 38, unitRate: 40 }],
    ['latency does not tell', [dropped(50, {}, 'latency')], { np: 34, unitRate: 40 }],
    ['ISR churn does not tell', [dropped(50, {}, 'isr churn')], { np: 34, unitRate: 40 }],
    ['idle that was not read neither', [dropped(50, { worstIdle: null })], { np: 34, unitRate: 40 }],
    ['nor one above its limit', [dropped(50, { worstIdle: 0.5 })], { np: 34, unitRate: 40 }],
    ['it drops again: down from there', [dropped(50), dropped(35)], { np: 25, unitRate: 40 }],
    // 50 x .5 x .5 = 12.5 producers would be too coarse a step: 50 of them at a quarter of the rate
    [
      'a finer unit rate when producers are few',
      [dropped(25, { worstIdle: 0.01 })],
      { np: 50, unitRate: 10 },
    ],
    [
      'a coarser one when they would be more than there are',
      [dropped(150), held(150, 'sustained', 20)],
      { np: 50, unitRate: 84.9 },
    ],
    ['one lasted: the middle', [dropped(50), held(35, 'sustained')], { np: 42, unitRate: 40 }],
    ['within a tenth: enough', [dropped(50), held(45, 'sustained')], null],
    ['four at most', [dropped(50), dropped(35), dropped(25), held(20, 'sustained')], null],
    [
      'invalid ones are not among the four',
      [dropped(50), held(35, 'invalid'), held(35, 'invalid'), held(35, 'sustained')],
      { np: 42, unitRate: 40 },
    ],
  ])('%s', (_, trials, load) => {
    const step = holdStep(POINT, trials, HOLDING);
    if (load) expect(step).toMatchObject({ kind: 'hold', ...load });
    else expect(step.kind).toBe('finished');
  });

  it('narrows to twice the precision when that is coarser than a tenth', () => {
    const trials = [dropped(50), held(41, 'sustained')];
    expect(holdStep(POINT, trials, HOLDING).kind).toBe('hold');
    expect(holdStep(POINT, trials, { ...HOLDING, precision: 0.1 }).kind).toBe('finished');
  });

  it('has nothing to hold where nothing was sustained', () => {
    expect(holdStep({ ...POINT, lower: null }, [], HOLDING)).toEqual({ kind: 'finished', note: null });
  });

  it('says why, in one sentence each', () => {
    const why = (trials: HoldTrial[]) => {
      const step = holdStep(POINT, trials, HOLDING);
      return step.kind === 'hold' ? step.why : step.note;
    };
    expect(why([])).toBe('hold np 50 of 1 kB for 10 min: does the bound last?');
    expect(why([held(50, 'invalid')])).toBe(
      'hold np 50 of 1 kB for 10 min: once more, for the last one was invalid (shard lost)',
    );
    expect(why([dropped(50)])).toBe(
      'hold np 35 of 1 kB for 10 min: 2,000/s dropped after 3 min 40 s (request-handler idle); this much should last',
    );
    expect(why([dropped(50), held(35, 'sustained')])).toBe(
      'hold np 42 of 1 kB for 10 min: 2,000/s dropped after 3 min 40 s, 1,400/s lasted',
    );
    expect(why(Array(3).fill(held(50, 'invalid')))).toBe('2,000/s could not be held: shard lost (test)');
    expect(why([dropped(50), dropped(35), dropped(25), held(20, 'sustained')])).toBe('ended after 4 holds');
  });
});
