/**
 * Seeded random numbers (sfc32 by Chris Doty-Humphrey, PractRand), for payloads and simulations that must repeat.
 * Not for secrets.
 */
export interface RandomSource {
  /** Next unsigned 32-bit integer. */
  next(): number;
}

/** Makes a source; equal seeds (any number) give equal sequences. */
export function seededRandom(seed: number): RandomSource {
  let a = seed >>> 0;
  let b = Math.floor(seed / 0x1_0000_0000) >>> 0;
  let c = 0x9e37_79b9;
  let counter = 1;
  const next = (): number => {
    const out = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + out) | 0;
    return out >>> 0;
  };
  // sfc32 needs a dozen rounds until similar seeds part.
  for (let round = 0; round < 15; round += 1) next();
  return { next };
}

/** Fills an array of 32-bit words from the source. */
export function fillRandom(words: Uint32Array, random: RandomSource): void {
  for (let index = 0; index < words.length; index += 1) words[index] = random.next();
}

/** Next whole number from 0 to below `limit` (at most 2^32), each as likely as the others to within limit / 2^32. */
export function nextBelow(random: RandomSource, limit: number): number {
  return Math.floor((random.next() / 0x1_0000_0000) * limit);
}

/** Puts numbers into random order, in place (Fisher-Yates); each order is as likely as the others. */
export function shuffle(numbers: number[] | Uint32Array, random: RandomSource): void {
  for (let last = numbers.length - 1; last > 0; last -= 1) {
    const chosen = nextBelow(random, last + 1);
    const held = numbers[last] ?? 0;
    numbers[last] = numbers[chosen] ?? 0;
    numbers[chosen] = held;
  }
}
