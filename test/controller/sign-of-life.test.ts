import { afterEach, expect, it, vi } from 'vitest';
import { withSignsOfLife } from '../../src/controller/sign-of-life.ts';
import { SILENCE_MS } from '../../src/store/stored-run.ts';

afterEach(() => void vi.useRealTimers());

it('touches the run often enough to be seen alive, and not at every poll', () => {
  vi.useFakeTimers();
  const touched: string[] = [];
  let told = 0;
  const observe = withSignsOfLife(
    { runId: 'run', observe: () => (told += 1) },
    { touchRun: (runId) => void touched.push(runId) },
  );
  for (let second = 0; second < SILENCE_MS / 1_000; second++) {
    vi.advanceTimersByTime(1_000);
    observe({ type: 'polled', idleByBroker: {}, stage: null });
  }
  expect(told).toBe(SILENCE_MS / 1_000);
  expect(touched.length).toBeGreaterThanOrEqual(3);
  expect(touched.length).toBeLessThanOrEqual(6);
});
