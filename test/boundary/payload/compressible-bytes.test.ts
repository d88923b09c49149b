import { describe, expect, it } from 'vitest';
import { makeCompressible } from '../../../boundary/payload/compressible-bytes.ts';
import { batchOf, gzipRatio, poolOf } from './batches.ts';

const RATIOS = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95, 1];
const SIZES = [100, 1_000, 10_000, 100_000];

describe('compressible payload', () => {
  it.each(RATIOS.flatMap((ratio) => SIZES.map((messageBytes) => ({ ratio, messageBytes }))))(
    'comes out of gzip at $ratio for messages of $messageBytes B',
    ({ ratio, messageBytes }) => {
      const pool = poolOf({ kind: 'compressible', ratio }, messageBytes);
      for (const batchBytes of [131_072, 1_048_576]) {
        for (const first of [0, 7, 1_001]) {
          const seen = gzipRatio(batchOf(pool, messageBytes, batchBytes, first));
          expect(Math.abs(seen / ratio - 1), `${batchBytes} B from value ${first}`).toBeLessThan(0.02);
        }
      }
    },
  );
});

describe('makeCompressible', () => {
  it('keeps whole bytes that come to the ratio over the blocks, and leaves the random bytes where they are', () => {
    const bytes = new Uint8Array(102_400).fill(1);
    makeCompressible(bytes, 0.3);
    const kept = bytes.filter((byte) => byte === 1).length;
    expect(kept / bytes.length).toBeGreaterThan(0.29);
    expect(kept / bytes.length).toBeLessThan(0.3);
    expect(bytes[0]).toBe(1);
    expect(bytes[1_023]).not.toBe(1);
  });

  it('leaves all as it is at a ratio of 1', () => {
    const bytes = new Uint8Array(4_096).fill(1);
    makeCompressible(bytes, 1);
    expect(bytes.filter((byte) => byte === 1).length).toBeGreaterThan(4_060);
  });
});
