import { describe, expect, it } from 'vitest';
import type { ReaderReport, ShardReport } from '../../boundary/trial.ts';
import { ackLatencyOf, measureLatencies } from '../../boundary/trial-latency.ts';
import { evidenceOf } from './evidence.ts';
import { ackLatency, countsOf } from './latencies.ts';

function shard(changes: Partial<ShardReport>): ShardReport {
  const [plain] = evidenceOf().shards;
  if (!plain) throw new Error('the scene has a shard');
  return { ...plain, ...changes };
}

/** What the summary needs of a reader's report. */
function reader(changes: Partial<ReaderReport>): ReaderReport {
  return { shard: 1, workerId: 'w1', members: 1, startedLateMs: 0, ticks: [], errors: {}, ...changes };
}

describe('the acknowledgements of a trial', () => {
  it('are those of all shards together', () => {
    const shards = [
      shard({ ackLatency: ackLatency({ 5: 90 }) }),
      shard({ ackLatency: ackLatency({ 40: 9 }, 1) }),
    ];
    expect(ackLatencyOf(shards)?.timedProducers).toBe(8);
    expect(measureLatencies({ shards }).ackLatency).toMatchObject({
      messages: 100,
      missing: 1,
      timedProducers: 8,
      p999Ms: null,
    });
  });

  it.each<[why: string, shards: ShardReport[]]>([
    ['no shard timed', [shard({})]],
    ['one of two did not', [shard({ ackLatency: ackLatency({ 5: 90 }) }), shard({})]],
    ['no shard came back', []],
    ['no message fell due in the window', [shard({ ackLatency: ackLatency({}) })]],
  ])('are left out when %s', (_why, shards) => {
    expect(measureLatencies({ shards })).toEqual({});
  });
});

describe('what consumers saw', () => {
  const sent = (clockErrorMs?: number) => [shard(clockErrorMs === undefined ? {} : { clockErrorMs })];

  it('carries the errors of both clocks, the largest of each', () => {
    const readers = [
      reader({ consumeLatency: countsOf({ 12: 50 }), clockErrorMs: 0.5 }),
      reader({ consumeLatency: countsOf({ 20: 50 }), clockErrorMs: 2 }),
    ];
    expect(measureLatencies({ shards: sent(1.5), readers }).consumeLatency).toMatchObject({
      messages: 100,
      clockErrorMs: 3.5,
    });
    expect(measureLatencies({ shards: sent(), readers }).consumeLatency?.clockErrorMs).toBeNull();
  });

  it('is left out without consumers, and when one of them did not tell', () => {
    expect(measureLatencies({ shards: sent(1) })).toEqual({});
    const readers = [reader({ consumeLatency: countsOf({ 12: 50 }) }), reader({})];
    expect(measureLatencies({ shards: sent(1), readers })).toEqual({});
  });
});
