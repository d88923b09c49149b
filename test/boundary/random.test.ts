import { describe, expect, it } from 'vitest';
import { fillRandom, nextBelow, seededRandom, shuffle } from '../../boundary/random.ts';

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

describe('nextBelow', () => {
  it.each([
    { limit: 1, why: 'one choice' },
    { limit: 7, why: 'no power of two' },
    { limit: 2 ** 32, why: 'the whole range' },
  ])('stays under $limit: $why', ({ limit }) => {
    const random = seededRandom(3);
    const drawn = Array.from({ length: 1_000 }, () => nextBelow(random, limit));
    expect(drawn.every((value) => Number.isInteger(value) && value >= 0 && value < limit)).toBe(true);
    expect(new Set(drawn).size).toBeGreaterThan(Math.min(limit, 990) - 1);
  });
});

describe('shuffle', () => {
  it('puts every number at every place about equally often', () => {
    const random = seededRandom(11);
    const seen = Array.from({ length: 4 }, () => [0, 0, 0, 0]);
    for (let round = 0; round < 4_000; round += 1) {
      const numbers = [0, 1, 2, 3];
      shuffle(numbers, random);
      numbers.forEach((number, place) => {
        const row = seen[number];
        if (row) row[place] = (row[place] ?? 0) + 1;
      });
    }
    // 1000 expected for each, sd 27: five of them.
    for (const count of seen.flat()) expect(Math.abs(count - 1_000)).toBeLessThan(140);
  });

  it('loses nothing, also of typed numbers', () => {
    const numbers = Uint32Array.from({ length: 1_000 }, (_, index) => index);
    shuffle(numbers, seededRandom(5));
    expect([...numbers]).not.toEqual([...numbers].sort((a, b) => a - b));
    expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
  });
});
