import { afterEach, describe, expect, it, vi } from 'vitest';
import { RiskGuard } from '../../src/controller/risk-guard.ts';
import type { KafkaMetadata } from '../../src/kafka/kafka-connection.ts';
import { evidenceOf } from '../boundary/evidence.ts';

const WELL = { underMinIsr: 0, offline: 0 };
const before = { byBroker: { '1': WELL, '2': WELL, '3': WELL }, leaderless: new Set(['old/0']) };

/** Answers of Kafka in turn, the last one for good; null = it does not answer. */
function guardOf(answers: readonly (readonly string[] | null)[]) {
  let asked = 0;
  const metadata = async (): Promise<KafkaMetadata> => {
    const lost = answers[Math.min(asked++, answers.length - 1)];
    if (!lost) throw new Error('no broker answers');
    return {
      brokers: [],
      topics: lost.map((name) => ({ name, partitions: [{ id: 0, leader: -1, replicas: [], isr: [] }] })),
    };
  };
  const guard = new RiskGuard({ kafka: { metadata } }, before, 1);
  guards.push(guard);
  guard.start();
  return { guard, asked: () => asked };
}

const guards: RiskGuard[] = [];
afterEach(() => {
  for (const guard of guards.splice(0)) guard.stop();
});

describe('RiskGuard', () => {
  it('finds a partition that has no leader twice in a row', async () => {
    const { guard } = guardOf([[], ['orders'], ['orders']]);
    await vi.waitFor(() => expect(guard.riskIn([])?.detail).toContain('orders/0 has no leader'));
  });

  it.each([
    ['an election takes a moment', [['orders'], [], ['orders'], []]],
    ['it had none before', [['old']]],
    ['Kafka does not answer', [null]],
    ['it does not answer between two looks', [['orders'], null, [], ['orders'], []]],
  ] as const)('finds nothing when %s', async (_why, answers) => {
    const { guard, asked } = guardOf(answers);
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(6));
    expect(guard.riskIn([])).toBeNull();
  });

  it('finds what the brokers show, and stays with it', () => {
    const { guard } = guardOf([[]]);
    const polls = evidenceOf({ reading: (id) => ({ underMinIsrPartitions: id === 2 ? 3 : 0 }) }).polls;
    expect(guard.riskIn(polls)?.detail).toBe('broker 2 has 3 partitions under min ISR, 0 before the load');
    expect(guard.riskIn([])?.brokerId).toBe(2);
  });

  it('asks no more once it is stopped', async () => {
    const { guard, asked } = guardOf([[]]);
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(1));
    guard.stop();
    const then = asked();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(asked()).toBeLessThanOrEqual(then + 1);
  });
});
