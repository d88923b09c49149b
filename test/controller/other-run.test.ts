import { describe, expect, it } from 'vitest';
import { refuseOtherRun } from '../../src/controller/other-run.ts';
import type { RunEvent } from '../../src/controller/run-event.ts';

/** A cluster with two topics, one of which takes `growth` messages between two looks. */
async function look(growth: number, known: readonly string[]): Promise<RunEvent[]> {
  const told: RunEvent[] = [];
  let looks = 0;
  const partitions = [{ id: 0, leader: 1, replicas: [1], isr: [1] }];
  await refuseOtherRun({
    kafka: {
      metadata: async () => ({
        brokers: [],
        topics: ['plimsoll-theirs', 'orders'].map((name) => ({ name, partitions })),
      }),
      endOffsets: async () => [1_000 + growth * looks++],
    },
    knownTopics: new Set(known),
    observe: (event) => told.push(event),
  });
  return told;
}

describe('refuseOtherRun', () => {
  it('refuses when the topic of another home grows', async () => {
    await expect(look(5, [])).rejects.toMatchObject({ code: 'CLUSTER_BUSY', message: /plimsoll-theirs/ });
  });

  it('warns of one that stands still, and never mentions topics that are not Plimsoll', async () => {
    expect(await look(0, [])).toEqual([
      { type: 'warning', text: expect.stringMatching(/plimsoll-theirs.*leftover/) },
    ]);
  });

  it('leaves topics of this home to its database', async () => {
    expect(await look(5, ['plimsoll-theirs'])).toEqual([]);
  });
});
