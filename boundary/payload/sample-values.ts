import { type RandomSource, shuffle } from '../random.ts';

/**
 * Fills values that lie behind one another in `bytes` with the user's own messages. Each value begins with one of them and
 * goes on with the next ones where there is room, up to its size; all come equally often, in an order that is drawn anew each
 * round, so that messages do not come back at one distance.
 *
 * @param samples at least one, base64; an empty one is passed over.
 */
export function fillWithSamples(
  bytes: Uint8Array,
  sizes: readonly number[],
  samples: readonly string[],
  random: RandomSource,
): void {
  const next = inRounds(
    samples.map(bytesOf).filter(({ length }) => length > 0),
    random,
  );
  let at = 0;
  for (const size of sizes) {
    const end = at + size;
    while (at < end) {
      const sample = next();
      const part = sample.length <= end - at ? sample : sample.subarray(0, end - at);
      bytes.set(part, at);
      at += part.length;
    }
  }
}

function inRounds(samples: readonly Uint8Array[], random: RandomSource): () => Uint8Array {
  const order = samples.map((_, index) => index);
  let place = order.length;
  return () => {
    if (place >= order.length) {
      shuffle(order, random);
      place = 0;
    }
    const sample = samples[order[place] ?? 0];
    if (sample === undefined) throw new RangeError('there is no sample to send');
    place += 1;
    return sample;
  };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
