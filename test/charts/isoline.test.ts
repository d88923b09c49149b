import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isolineLabel, isolines } from '../../charts/isoline.ts';

const exponent = fc.double({ min: 0, max: 6, noNaN: true });
const length = fc.double({ min: 0.1, max: 6, noNaN: true });

describe('isolines', () => {
  it('stay inside the window, hold their throughput and are few', () => {
    fc.assert(
      fc.property(exponent, length, exponent, length, (bytes, byteDecades, rate, rateDecades) => {
        const window = {
          minBytes: 10 ** bytes,
          maxBytes: 10 ** (bytes + byteDecades),
          minRate: 10 ** rate,
          maxRate: 10 ** (rate + rateDecades),
        };
        const lines = isolines(window, 5);
        expect(lines.length).toBeLessThanOrEqual(6);
        for (const { from, to, megabytesPerSecond } of lines) {
          for (const end of [from, to]) {
            expect(end.bytes * end.rate).toBeCloseTo(
              megabytesPerSecond * 1e6,
              -Math.log10(megabytesPerSecond),
            );
            expect(end.bytes).toBeGreaterThanOrEqual(window.minBytes * 0.999);
            expect(end.bytes).toBeLessThanOrEqual(window.maxBytes * 1.001);
            expect(end.rate).toBeGreaterThanOrEqual(window.minRate * 0.999);
            expect(end.rate).toBeLessThanOrEqual(window.maxRate * 1.001);
          }
        }
      }),
    );
  });

  it('finds 1, 10 and 100 MB/s around a usual curve', () => {
    const window = { minBytes: 40, maxBytes: 25_000, minRate: 1_000, maxRate: 30_000 };
    expect(isolines(window).map((line) => line.megabytesPerSecond)).toEqual([1, 10, 100]);
  });

  it.each([
    [0.00001, '10 B/s'],
    [0.1, '100 kB/s'],
    [10, '10 MB/s'],
    [1_000, '1 GB/s'],
    [10_000_000, '10 TB/s'],
  ])('labels %d as %s', (megabytesPerSecond, label) => {
    expect(isolineLabel(megabytesPerSecond)).toBe(label);
  });
});
