import { describe, expect, it } from 'vitest';
import { safeThroughput } from '../../boundary/safe-throughput.ts';

describe('safeThroughput', () => {
  it('gives the published figures: 60 MB/s per broker, 48 safe (called "about 50" there)', () => {
    const safe = safeThroughput(180_000, 1_000, 3);
    expect(safe?.brokerLimitMegabytesPerSecond).toBeCloseTo(60, 9);
    expect(safe?.brokerMegabytesPerSecond).toBeCloseTo(48, 9);
    expect(safe?.clusterMegabytesPerSecond).toBeCloseTo(144, 9);
    expect(safe?.clusterMessagesPerSecond).toBeCloseTo(144_000, 6);
  });

  it('carries the whole safe load on the brokers that are left', () => {
    for (const offlineShare of [0, 0.1, 0.2, 0.5]) {
      const safe = safeThroughput(50_000, 512, 10, offlineShare);
      const brokersLeft = 10 * (1 - offlineShare);
      const perBrokerLeft = (safe?.clusterMegabytesPerSecond ?? 0) / brokersLeft;
      expect(perBrokerLeft).toBeCloseTo(safe?.brokerLimitMegabytesPerSecond ?? -1, 9);
    }
  });

  it('has no figure without brokers', () => {
    expect(safeThroughput(1_000, 100, 0)).toBeNull();
  });
});
