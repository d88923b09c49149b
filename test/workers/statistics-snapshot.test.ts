import { describe, expect, it } from 'vitest';
import { readStatistics } from '../../workers/statistics-snapshot.ts';

const window = (cnt: number, p99: number, max = p99) => ({
  cnt,
  p99,
  max,
  sum: cnt * p99,
  min: 0,
  avg: 0,
  outofrange: 0,
});
const broker = (nodeid: number, rtt: ReturnType<typeof window>, throttleMax = 0) => ({
  nodeid,
  rtt,
  outbuf_latency: window(rtt.cnt, 2_000),
  throttle: window(rtt.cnt, throttleMax),
});

describe('readStatistics', () => {
  const snapshot = readStatistics(
    JSON.stringify({
      ts: 5_000_000,
      msg_cnt: 4,
      brokers: {
        bootstrap: broker(-1, window(9, 900_000), 77),
        a: broker(1, window(10, 8_000)),
        b: broker(2, window(0, 0), 250),
      },
      topics: {
        t: {
          batchsize: window(3, 2_000),
          partitions: { '-1': { msgs: 0 }, 0: { msgs: 60, txbytes: 99 }, 1: { msgs: 44, txbytes: 99 } },
        },
      },
    }),
  );

  it('adds up messages over the partitions', () => {
    expect(snapshot).toMatchObject({ clockUs: 5_000_000, enqueued: 104, queued: 4 });
  });

  it('takes the bytes of whole batches, as brokers count them', () => {
    expect(snapshot.batchBytes).toBe(6_000);
  });

  it('takes socket wait plus round trip of brokers that answered, not of bootstrap connections', () => {
    expect(snapshot.roundTrips).toEqual([{ count: 10, p99Ms: 10 }]);
  });

  it("takes the largest where librdkafka's histogram ends before it", () => {
    const slow = { ...broker(1, { ...window(10, 0, 7_000_000), outofrange: 10 }) };
    const text = JSON.stringify({ ts: 1, msg_cnt: 0, brokers: { slow }, topics: {} });
    expect(readStatistics(text).roundTrips).toEqual([{ count: 10, p99Ms: 7_002 }]);
  });

  it('sees a quota on any broker', () => {
    expect(snapshot.throttleMs).toBe(250);
  });
});
