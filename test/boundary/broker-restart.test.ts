import { describe, expect, it } from 'vitest';
import type { BrokerReading } from '../../boundary/broker-reading.ts';
import { hasRestarted, sinceRestart } from '../../boundary/broker-restart.ts';
import { readingsByBroker } from '../../boundary/polls.ts';
import { evidenceOf } from './evidence.ts';

/** Eleven readings a second apart; `seen` says what differs from second 6 on. */
function readingsWith(seen: (before: BrokerReading) => Partial<BrokerReading>): BrokerReading[] {
  const readings = readingsByBroker(evidenceOf().polls).get(1) ?? [];
  return readings.map((reading, second) => (second < 6 ? reading : { ...reading, ...seen(reading) }));
}

const meter = (idle: object) => (before: BrokerReading) => ({
  idle: { ...before.idle, ...idle } as BrokerReading['idle'],
});

const ahead = (ns: number) => (before: BrokerReading) =>
  before.idle.kind === 'cores' || before.idle.countNs === null
    ? {}
    : { idle: { ...before.idle, countNs: before.idle.countNs + ns } };

describe('hasRestarted', () => {
  it.each([
    [false, 'nothing went back', () => ({})],
    [true, 'Count of the idle meter', meter({ countNs: 5 })],
    [true, 'idle that grew by more than the time that passed', meter({ countNs: 1e15 })],
    [false, 'a page put together a second early, then one in time', ahead(1e9)],
    [true, 'CPU time', () => ({ processCpuSeconds: 0.1 })],
    [true, 'counted shrinks', () => ({ isrShrinks: { count: -1, oneMinuteRate: null } })],
    [false, 'requests, which may be a sum over what comes and goes', () => ({ requests: 0 })],
    [false, 'a level', () => ({ requestQueueSize: -1 })],
    [false, 'an attribute no longer shown', meter({ countNs: null })],
  ] as const)('%s: %s', (expected, _why, seen) => {
    expect(hasRestarted(readingsWith(seen))).toBe(expected);
    expect(sinceRestart(readingsWith(seen))).toHaveLength(expected ? 5 : 11);
  });

  it('sees a younger process and cores that begin anew', () => {
    const aged = (ages: readonly number[]) =>
      readingsWith(() => ({}))
        .slice(0, ages.length)
        .map((reading, i) => ({ ...reading, ...meter({ processAgeMs: ages[i] })(reading) }));
    expect(hasRestarted(aged([60_000, 61_000, 400]))).toBe(true);
    expect(hasRestarted(aged([60_000, 61_000, 60_500]))).toBe(false);
    const busy = (seconds: readonly number[]) =>
      readingsWith(() => ({}))
        .slice(0, seconds.length)
        .map((reading, i) => ({
          ...reading,
          idle: { kind: 'cores', busySeconds: [9, seconds[i] ?? 0] } as const,
        }));
    expect(hasRestarted(busy([50, 51, 2]))).toBe(true);
    expect(hasRestarted(busy([50, 51, 52]))).toBe(false);
  });
});
