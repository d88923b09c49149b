import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeTrial } from '../../boundary/judge-trial.ts';
import { byteBalance, findUnreconciled } from '../../boundary/reconciliation.ts';
import { DEFAULT_THRESHOLDS } from '../../boundary/verdict.ts';
import { evidenceOf, type Scene } from './evidence.ts';
import { readBy, readerOf } from './readers.ts';

/** Bytes per second that the producers send; the brokers share them. */
const SENT = 1_100_000;
const WARM_UP_SECONDS = 3;

const meter = (count: number) => ({ count, oneMinuteRate: null });

/** Producers that send steadily, and brokers that count `ratio` times as much. */
function counting(ratio: number, more: Scene = {}): Scene {
  return {
    reading: (_, second) => ({ bytesIn: meter((second * SENT * ratio) / 3) }),
    tick: (second) => ({ sentBytes: (second + WARM_UP_SECONDS) * SENT, queued: 0 }),
    ...more,
  };
}

const verdictOf = (scene: Scene) => findUnreconciled(evidenceOf(scene));

describe('bytes in against bytes sent', () => {
  it.each<readonly [why: string, isFine: boolean, scene: Scene]>([
    ['the same', true, counting(1)],
    ['1 % less is allowed, as far as both are known', true, counting(0.99)],
    ['less than that: what was sent did not come in', false, counting(0.97)],
    ['more than that: somebody else sends', false, counting(1.03)],
    [
      'the same difference between counts that are a second apart from being known',
      true,
      counting(0.97, {
        reading: (_, second) => ({ bytesIn: meter((second * SENT * 0.97) / 3), scrapeMs: 400 }),
      }),
    ],
    [
      'what waits in the clients may be on either side of an edge',
      true,
      counting(0.97, { tick: (second) => ({ sentBytes: (second + WARM_UP_SECONDS) * SENT, queued: 100 }) }),
    ],
    [
      'others sent as much before the run',
      true,
      counting(1.03, { evidence: { restingBytesInPerSecond: 0.02 * SENT } }),
    ],
    [
      'others do not explain what is missing',
      false,
      counting(0.97, { evidence: { restingBytesInPerSecond: SENT } }),
    ],
    [
      'the offsets that consumers commit come in too',
      true,
      counting(1.03, { evidence: readBy(readerOf({ tick: (s) => ({ committed: (s + 3) * 100 }) })) }),
    ],
    [
      '... and do not explain more than they are',
      false,
      counting(1.03, { evidence: readBy(readerOf({ tick: (s) => ({ committed: (s + 3) * 10 }) })) }),
    ],
    [
      '... nor what is missing',
      false,
      counting(0.97, { evidence: readBy(readerOf({ tick: (s) => ({ committed: (s + 3) * 100 }) })) }),
    ],
    [
      'one broker counts for another: together they are right',
      true,
      {
        ...counting(1),
        reading: (id, second) => ({ bytesIn: meter((second * SENT * id) / 6) }),
      },
    ],
    [
      'one broker counts nothing',
      false,
      {
        ...counting(1),
        reading: (id, second) => ({ bytesIn: meter(id === 3 ? 0 : (second * SENT) / 3) }),
      },
    ],
    [
      'a page that shows only a rate tells too little',
      true,
      {
        ...counting(0.5),
        reading: (id, second) => ({
          bytesIn: id === 2 ? { count: null, oneMinuteRate: 1 } : meter((second * SENT) / 6),
        }),
      },
    ],
    ['a page that shows nothing', true, { ...counting(1), reading: () => ({ bytesIn: null }) }],
    ['producers that count no bytes', true, { ...counting(0.5), tick: () => ({}) }],
    [
      'another kind of broker, whose count nobody has compared',
      true,
      {
        ...counting(0.5),
        reading: (_, second) => ({
          bytesIn: meter((second * SENT) / 6),
          idle: { kind: 'cores', busySeconds: [second * 0.1] },
        }),
      },
    ],
  ])('%s', (_why, isFine, scene) => {
    expect(verdictOf(scene)?.reason ?? null).toBe(isFine ? null : 'not reconciled');
  });

  it('says both sums, the difference and how much of it is unsure', () => {
    expect(verdictOf(counting(1.1))?.detail).toMatch(
      /^the brokers count 12\.1 MB in, the producers sent 11 MB \(10\.0 %, \d+(\.\d+)? kB unsure\): somebody else sends to them$/,
    );
    expect(verdictOf(counting(0.9))?.detail).toMatch(/\(-10\.0 %, .* unsure\)$/);
  });

  it('compares the stretch between the looks, wherever they fall', () => {
    // The look at the end of the window is 400 ms late, that at its start is not: 4 % more came in.
    const scene = counting(1, {
      scrapeLateMs: (second) => (second === 10 ? 400 : 0),
      reading: (_, second) => ({ bytesIn: meter(((second === 10 ? 10.4 : second) * SENT) / 3) }),
      tick: (second) => ({ sentBytes: (second + WARM_UP_SECONDS) * SENT, queued: 0 }),
      // The load goes on after the window.
      seconds: 12,
      evidence: { window: { startAtMs: 1_000_000, endAtMs: 1_010_000 } },
    });
    expect(byteBalance(evidenceOf(scene))?.sent).toBeCloseTo(10.4 * SENT, 0);
    expect(verdictOf(scene)).toBeNull();
  });

  it('never spoils a steady load, whatever its rate and wherever in its scrape a count was taken', () => {
    const offMs = fc.double({ min: -10, max: 10, noNaN: true });
    fc.assert(
      fc.property(
        fc.double({ min: 100, max: 1e9, noNaN: true }),
        fc.tuple(offMs, offMs, offMs),
        (rate, off) => {
          const scene: Scene = {
            reading: (id, second) => ({
              bytesIn: meter(
                Math.max(0, rate / 3) * (100 + second + (off[id - 1] ?? 0) * (second % 2 ? 1 : -1) * 1e-3),
              ),
            }),
            tick: (second) => ({ sentBytes: (second + WARM_UP_SECONDS) * rate, queued: 0 }),
          };
          expect(verdictOf(scene)).toBeNull();
        },
      ),
    );
  });
});

describe('in the verdict', () => {
  const judge = (scene: Scene) => judgeTrial(evidenceOf(scene), DEFAULT_THRESHOLDS);

  it('comes last: an overload stays one', () => {
    expect(judge(counting(1.1))).toMatchObject({ kind: 'invalid', reason: 'not reconciled' });
    expect(judge(counting(1.1, { idle: () => 0.05 })).kind).toBe('overloaded');
    expect(judge(counting(1)).kind).toBe('sustained');
  });
});
