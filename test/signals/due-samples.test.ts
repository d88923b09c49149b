import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DueSamples } from '../../src/signals/due-samples.ts';

it('accounts for every sample once, however looks fall and whatever is lacking', () => {
  const scenario = fc.record({
    // Distance between samples 15 s, each up to 1 s late; whether it is there.
    samples: fc.array(fc.record({ lateMs: fc.nat(1_000), isThere: fc.boolean() }), {
      minLength: 1,
      maxLength: 40,
    }),
    looksApartMs: fc.array(fc.integer({ min: 500, max: 40_000 }), { minLength: 1, maxLength: 80 }),
  });
  fc.assert(
    fc.property(scenario, ({ samples, looksApartMs }) => {
      const account = new DueSamples();
      account.beginAt(0);
      const times = samples.flatMap(({ lateMs, isThere }, i) => (isThere ? [15_000 * (i + 1) + lateMs] : []));
      const came: number[] = [];
      const lacking: number[] = [];
      let lookedMs = 0;
      for (const apartMs of looksApartMs) {
        const brought = times.filter((at) => at > lookedMs && at <= lookedMs + apartMs);
        lookedMs += apartMs;
        for (const due of account.account(brought, lookedMs, 15_000)) {
          if (due.kind === 'came') came.push(brought[due.index] ?? Number.NaN);
          else lacking.push(due.atMs);
        }
      }
      expect(came).toEqual(times.filter((at) => at <= lookedMs));
      // Up to the last sample, or until one and a half distances before the look, nothing is open.
      const accounted = came.length + lacking.length;
      expect(accounted).toBeGreaterThanOrEqual(Math.floor((lookedMs - 1.5 * 15_000) / 15_000) - 1);
      expect(accounted).toBeLessThanOrEqual(Math.ceil(lookedMs / 15_000));
      for (const at of lacking) expect(came.every((other) => Math.abs(other - at) > 5_000)).toBe(true);
    }),
  );
});

it('counts nothing before the first sample, nor before its beginning', () => {
  const account = new DueSamples();
  expect(account.account([], 100_000, 15_000)).toEqual([]);
  const later = new DueSamples();
  later.beginAt(500_000);
  expect(later.account([], 510_000, 15_000)).toEqual([]);
  expect(later.account([], 530_000, 15_000)).toEqual([{ kind: 'lacking', atMs: 515_000 }]);
  // A grid that begins anew goes on with the account.
  later.beginAt(505_000);
  expect(later.account([], 530_000, 15_000)).toEqual([]);
});

it('does not count twice what comes after it was counted as lacking', () => {
  const account = new DueSamples();
  account.account([0], 0, 15_000);
  expect(account.account([], 23_000, 15_000)).toEqual([{ kind: 'lacking', atMs: 15_000 }]);
  expect(account.account([15_000, 30_000], 31_000, 15_000)).toEqual([
    { kind: 'came', index: 0 },
    { kind: 'came', index: 1 },
  ]);
});

it('does not go back when one sample of several comes after all', () => {
  const account = new DueSamples();
  account.account([0], 0, 15_000);
  expect(account.account([], 55_000, 15_000)).toHaveLength(3);
  expect(account.account([15_000], 56_000, 15_000)).toEqual([{ kind: 'came', index: 0 }]);
});
