import { describe, expect, it } from 'vitest';
import type { BrokerReading } from '../../boundary/broker-reading.ts';
import { judgeTrial } from '../../boundary/judge-trial.ts';
import { DEFAULT_THRESHOLDS } from '../../boundary/verdict.ts';
import { evidenceOf, type Scene } from './evidence.ts';

/** Round trips of seconds that grow, and fewer messages acknowledged than offered. */
const slowing = (reading: (id: number) => Partial<BrokerReading>, more: Scene = {}): Scene => ({
  ackedShare: 0.6,
  tick: (second) => ({ queued: 900, roundTripP99Ms: second <= 5 ? 800 : 4_000 }),
  idle: () => 0.8,
  reading: (id) => ({ networkIdle: 0.95, produceP99Ms: 12, requestQueueSize: 0, ...reading(id) }),
  ...more,
});

describe('a round trip that grows', () => {
  it.each<readonly [why: string, expected: string, scene: Scene]>([
    ['the brokers have next to no part in it', 'unexplained shortfall', slowing(() => ({}))],
    [
      'one of them takes a second for a request',
      'delivery',
      slowing((id) => ({ produceP99Ms: id === 2 ? 1_100 : 12 })),
    ],
    [
      'network threads have no time to read',
      'delivery',
      slowing((id) => ({ networkIdle: id === 1 ? 0.1 : 0.9 })),
    ],
    ['requests wait for a handler', 'delivery', slowing((id) => ({ requestQueueSize: id === 3 ? 40 : 0 }))],
    ['handlers are busy, though not over the limit', 'delivery', slowing(() => ({}), { idle: () => 0.3 })],
    [
      'a broker does not show what a request takes',
      'delivery',
      slowing((id) => (id === 1 ? { produceP99Ms: null } : {})),
    ],
    [
      'nor how busy its network threads are',
      'delivery',
      slowing((id) => (id === 1 ? { networkIdle: null } : {})),
    ],
    [
      'nobody looks at the brokers',
      'delivery',
      slowing(() => ({}), { evidence: { signals: 'none', polls: [] } }),
    ],
  ])('%s: %s', (_why, expected, scene) => {
    const verdict = judgeTrial(evidenceOf(scene), DEFAULT_THRESHOLDS);
    expect(verdict.kind === 'overloaded' ? verdict.rule : verdict.kind === 'invalid' && verdict.reason).toBe(
      expected,
    );
  });

  it('is told apart by what the brokers take of it', () => {
    expect(judgeTrial(evidenceOf(slowing(() => ({}))), DEFAULT_THRESHOLDS)).toMatchObject({
      detail: expect.stringContaining(
        'takes 4000 ms and the brokers 12 ms of it at most: look at the network',
      ),
    });
  });
});
