import { expect, it } from 'vitest';
import { LookCosts } from '../../src/signals/look-costs.ts';

it('knows nothing before the first look', () => {
  expect(new LookCosts().get()).toBeNull();
});

it('speaks of the latest looks, the median against the odd slow one', () => {
  const costs = new LookCosts();
  for (let i = 0; i < 100; i++) costs.add({ tookMs: 2_000, bytes: 1_000 });
  expect(costs.get()).toEqual({ medianMs: 2_000, bytes: 1_000, looks: 100 });
  for (let i = 0; i < 31; i++) costs.add({ tookMs: i === 7 ? 5_000 : 40, bytes: 900 });
  expect(costs.get()).toEqual({ medianMs: 40, bytes: 900, looks: 131 });
});
