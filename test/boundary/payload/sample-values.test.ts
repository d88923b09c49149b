import { describe, expect, it } from 'vitest';
import { fillWithSamples } from '../../../boundary/payload/sample-values.ts';
import { seededRandom } from '../../../boundary/random.ts';

function valuesOf(samples: readonly Uint8Array[], sizes: readonly number[], seed = 1): Uint8Array[] {
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  const base64 = samples.map((sample) => Buffer.from(sample).toString('base64'));
  fillWithSamples(bytes, sizes, base64, seededRandom(seed));
  let at = 0;
  return sizes.map((size) => {
    at += size;
    return bytes.subarray(at - size, at);
  });
}

const sample = (byte: number, length: number) => new Uint8Array(length).fill(byte);

describe('fillWithSamples', () => {
  it('cuts a sample that is too long', () => {
    expect(valuesOf([sample(200, 10)], [4, 4])).toEqual([sample(200, 4), sample(200, 4)]);
  });

  it('goes on with other samples where one is too short', () => {
    const [value] = valuesOf([sample(1, 3), sample(2, 3)], [8]);
    const bytes = [...(value ?? [])];
    expect(bytes.slice(0, 6).sort()).toEqual([1, 1, 1, 2, 2, 2]);
    expect(bytes).toHaveLength(8);
  });

  it('sends all samples equally often, in another order each round', () => {
    const samples = Array.from({ length: 10 }, (_, index) => sample(index, 5));
    const firsts = valuesOf(samples, new Array<number>(1_000).fill(5)).map((value) => value[0] ?? -1);
    for (let byte = 0; byte < 10; byte += 1) {
      expect(firsts.filter((first) => first === byte)).toHaveLength(100);
    }
    expect(firsts.slice(0, 10)).not.toEqual(firsts.slice(10, 20));
  });

  it('passes an empty sample over, and says so when there is none at all', () => {
    expect(valuesOf([sample(0, 0), sample(9, 1)], [3])).toEqual([sample(9, 3)]);
    expect(() => valuesOf([sample(0, 0)], [3])).toThrow('there is no sample to send');
  });

  it('repeats for a seed', () => {
    const samples = Array.from({ length: 10 }, (_, index) => sample(index, 2));
    expect(valuesOf(samples, [50], 4)).toEqual(valuesOf(samples, [50], 4));
    expect(valuesOf(samples, [50], 4)).not.toEqual(valuesOf(samples, [50], 5));
  });
});
