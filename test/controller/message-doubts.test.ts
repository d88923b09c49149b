import { describe, expect, it } from 'vitest';
import type { PayloadRecipe } from '../../boundary/payload/message-recipe.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { messageDoubts } from '../../src/controller/message-doubts.ts';

const RANDOM: PayloadRecipe = { kind: 'random' };
const samples = (bytes: number): PayloadRecipe => ({
  kind: 'samples',
  values: [Buffer.alloc(bytes, 'x').toString('base64')],
});

function doubts(payload: PayloadRecipe, flags: Record<string, unknown>): string[] {
  return messageDoubts({ payload }, loadConfig({ env: {}, flags, folder: '/nowhere' }));
}

describe('messageDoubts', () => {
  it.each([
    { payload: RANDOM, flags: {}, why: 'no codec' },
    {
      payload: RANDOM,
      flags: { topicConfig: ['compression.type=producer'] },
      why: 'brokers leave it as it is',
    },
    {
      payload: { kind: 'json' } as const,
      flags: { producer: ['compression.codec=zstd'] },
      why: 'it compresses',
    },
    { payload: samples(900_000), flags: { producer: ['compression.codec=lz4'] }, why: 'more than a batch' },
    { payload: samples(1_000), flags: {}, why: 'few, but nothing looks at them' },
  ])('are none: $why', ({ payload, flags }) => {
    expect(doubts(payload, flags)).toEqual([]);
  });

  it.each([
    {
      flags: { producer: ['compression.codec=lz4'] },
      says: /^compression\.codec lz4 is set, but random messages/,
    },
    { flags: { producer: ['compression.type=gzip'] }, says: /^compression\.codec gzip/ },
    { flags: { topicConfig: ['compression.type=zstd'] }, says: /^compression\.type zstd of the topic/ },
  ])('tell that random messages do not compress: $flags', ({ flags, says }) => {
    expect(doubts(RANDOM, flags)).toEqual([expect.stringMatching(says)]);
  });

  it('tell that few samples come back within a batch', () => {
    expect(doubts(samples(12_000), { producer: ['compression.codec=lz4'] })).toEqual([
      'the messages of messages.payload are 12 kB in all, less than a batch (batch.size, 131.07 kB): they repeat within it, ' +
        'and compression.codec lz4 shortens them more than real ones; give more of them',
    ]);
    expect(doubts(samples(12_000), { producer: ['compression.codec=lz4', 'batch.size=10000'] })).toEqual([]);
  });
});
