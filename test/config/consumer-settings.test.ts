import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';

const configOf = (flags: Record<string, unknown>) => loadConfig({ env: {}, flags, folder: '/nowhere' });

describe('consumer groups', () => {
  it('are none unless asked for', () => {
    expect(configOf({}).consumers).toEqual({ groups: 0, members: null, from: 'end' });
  });

  it('come from flags', () => {
    const { consumers, consumer } = configOf({
      groups: '5',
      members: '2',
      readFrom: 'beginning',
      consumer: ['fetch.min.bytes=10000', 'check.crcs=true'],
    });
    expect(consumers).toEqual({ groups: 5, members: 2, from: 'beginning' });
    expect(consumer).toEqual({ 'fetch.min.bytes': 10_000, 'check.crcs': true });
  });

  it.each([
    [{ groups: '-1' }, /consumers.groups must be at least 0/],
    [{ members: '0' }, /consumers.members must be at least 1/],
    [{ readFrom: 'middle' }, /consumers.from must be end or beginning, not "middle"/],
    [{ consumer: ['group.id=mine'] }, /consumer may not hold group.id; Plimsoll sets it/],
    [{ consumer: ['statistics.interval.ms=1'] }, /consumer may not hold statistics.interval.ms/],
    [
      { consumer: ['bootstrap.servers=a:1'] },
      /consumer may not hold bootstrap.servers; set bootstrap instead/,
    ],
    [{ latencyP99: '1ms' }, /thresholds.latencyP99Ms must be at least 5ms/],
    [{ lagGrowthShare: '0' }, /thresholds.lagGrowthShare must be a ratio above 0/],
  ])('refuses %j', (flags, message) => {
    expect(() => configOf(flags)).toThrow(message);
  });
});
