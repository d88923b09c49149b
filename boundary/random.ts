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
