import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makePayloadPool } from '../../workers/payload-pool.ts';

function take(messageBytes: number, count: number, seed = 1): Buffer[] {
  const pool = makePayloadPool(messageBytes, 100_000, seed);
  return Array.from({ length: count }, () => pool.next());
}

describe('makePayloadPool', () => {
  it.each([1, 100, 10_000, 9_000_000])('cuts values of exactly %d bytes', (messageBytes) => {
    for (const value of take(messageBytes, 5)) expect(value.length).toBe(messageBytes);
  });

  it('does not compress over a batch', () => {
    const batch = Buffer.concat(take(1_000, 1_000));
    expect(gzipSync(batch).length).toBeGreaterThan(0.99 * batch.length);
  });

  it('repeats for a seed', () => {
    expect(take(100, 10, 5)).toEqual(take(100, 10, 5));
    expect(take(100, 10, 5)).not.toEqual(take(100, 10, 6));
  });
});
