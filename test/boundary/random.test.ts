import { describe, expect, it } from 'vitest';
import { fillRandom, seededRandom } from '../../boundary/random.ts';

function words(seed: number, count: number): Uint32Array {
  const filled = new Uint32Array(count);
  fillRandom(filled, seededRandom(seed));
  return filled;
}

describe('seededRandom', () => {
  it('repeats for a seed and differs for the next', () => {
    expect(words(7, 1_000)).toEqual(words(7, 1_000));
    const [a, b] = [words(7, 1_000), words(8, 1_000)];
    expect(a.filter((word, index) => word === b[index]).length).toBeLessThan(3);
  });

  it('fills bytes evenly, so that codecs find nothing to shorten', () => {
    const counts = new Array<number>(256).fill(0);
    for (const byte of new Uint8Array(words(1, 65_536).buffer)) counts[byte] = (counts[byte] ?? 0) + 1;
    // 1024 expected for each value, sd 32: five of them.
    expect(Math.max(...counts)).toBeLessThan(1_184);
    expect(Math.min(...counts)).toBeGreaterThan(864);
  });
});
