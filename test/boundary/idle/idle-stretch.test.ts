import { describe, expect, it } from 'vitest';
import { exactly, partInWindow, unknownPart } from '../../../boundary/idle/idle-stretch.ts';

const WINDOW = { startAtMs: 10_000, endAtMs: 20_000 };
const at = (ms: number) => ({ low: ms, high: ms });

describe('partInWindow', () => {
  it.each([
    [12_000, 17_000, 2_000, [2_000, 2_000], 'all inside'],
    [6_000, 11_000, 3_000, [0, 1_000], '1 of 5 s inside: no more than that second'],
    [9_000, 14_000, 2_000, [1_000, 2_000], '4 of 5 s inside: no more than a second outside'],
    [9_000, 14_000, 4_500, [3_500, 4_000], 'both at once'],
    [5_000, 25_000, 12_000, [2_000, 10_000], 'around the window'],
    [1_000, 6_000, 5_300, [0, 0], 'none inside, with more idle booked than time'],
  ])('%i..%i with %i ms idle -> %j: %s', (fromMs, toMs, idleMs, [low, high], _why) => {
    const part = partInWindow({ fromMs: at(fromMs), toMs: at(toMs), idleMs: exactly(idleMs) }, WINDOW, 1);
    expect(part).toMatchObject({ low, high });
  });

  it('takes the worst of an unsure end', () => {
    const toMs = { low: 19_000, high: 21_000 };
    const part = partInWindow({ fromMs: at(15_000), toMs, idleMs: exactly(3_000) }, WINDOW, 1);
    expect(part).toMatchObject({ low: 2_000, high: 3_000, coveredMs: 5_000, estimate: 3_000 });
  });

  it('lets two pools be idle twice as long', () => {
    const part = partInWindow({ fromMs: at(9_000), toMs: at(14_000), idleMs: exactly(9_500) }, WINDOW, 2);
    expect(part).toMatchObject({ low: 7_500, high: 8_000 });
  });
});

describe('unknownPart', () => {
  it('is anything, and nothing of no time', () => {
    expect(unknownPart(3_000, 2)).toMatchObject({ low: 0, high: 6_000, coveredMs: 0 });
    expect(unknownPart(-1, 1)).toMatchObject({ low: 0, high: 0 });
  });
});
