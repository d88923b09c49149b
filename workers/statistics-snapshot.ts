/** What one producer's statistics say at one instant. */
export interface StatisticsSnapshot {
  /** Microseconds on librdkafka's own clock. */
  readonly clockUs: number;
  /** Messages ever put on a partition's queue. */
  readonly enqueued: number;
  /** Messages in librdkafka's queues or on their way, acknowledgement pending. */
  readonly queued: number;
  /** Bytes of the record batches put into requests in the last interval, compressed, headers of the batches included. */
  readonly batchBytes: number;
  readonly roundTrips: readonly RoundTrip[];
  /** Largest throttle time that a broker asked for in the last interval, ms. */
  readonly throttleMs: number;
}

/** Round trips to one broker in the last statistics interval. */
export interface RoundTrip {
  readonly count: number;
  /** Wait for the socket plus round trip, p99, ms. */
  readonly p99Ms: number;
}

interface WindowStatistics {
  readonly p99: number;
  readonly max: number;
  readonly cnt: number;
  readonly sum: number;
  /** Values beyond the histogram, which the percentiles leave out. */
  readonly outofrange: number;
}

interface RawStatistics {
  readonly ts: number;
  readonly msg_cnt: number;
  readonly brokers: Readonly<
    Record<
      string,
      {
        readonly nodeid: number;
        readonly rtt: WindowStatistics;
        readonly outbuf_latency: WindowStatistics;
        readonly throttle: WindowStatistics;
      }
    >
  >;
  readonly topics: Readonly<
    Record<
      string,
      {
        readonly batchsize: WindowStatistics;
        readonly partitions: Readonly<Record<string, { readonly msgs: number }>>;
      }
    >
  >;
}

/**
 * Reads librdkafka's statistics (STATISTICS.md). `msgs` counts every message enqueued on a partition and `msg_cnt`
 * every one not yet acknowledged or failed, so msgs - msg_cnt - failed is what the brokers acknowledged; `txmsgs`
 * would count messages put into a request, before the acknowledgement. With acks=0 there are no acknowledgements:
 * a message counts as such when its request went into the socket. Bytes are those of `batchsize`, what brokers count;
 * `txbytes` leaves out the batches' headers and what compression saved.
 */
export function readStatistics(text: string): StatisticsSnapshot {
  const raw = JSON.parse(text) as RawStatistics;
  let enqueued = 0;
  let batchBytes = 0;
  for (const topic of Object.values(raw.topics)) {
    batchBytes += topic.batchsize.sum;
    for (const partition of Object.values(topic.partitions)) enqueued += partition.msgs;
  }
  const roundTrips: RoundTrip[] = [];
  let throttleMs = 0;
  for (const broker of Object.values(raw.brokers)) {
    // Node -1 is a bootstrap connection: its round trips are not produce requests.
    if (broker.nodeid < 0) continue;
    throttleMs = Math.max(throttleMs, broker.throttle.max);
    if (broker.rtt.cnt === 0) continue;
    roundTrips.push({
      count: broker.rtt.cnt,
      p99Ms: (p99Of(broker.rtt) + p99Of(broker.outbuf_latency)) / 1_000,
    });
  }
  return { clockUs: raw.ts, enqueued, queued: raw.msg_cnt, batchBytes, roundTrips, throttleMs };
}

/**
 * librdkafka's histogram of round trips ends at 500 ms, that of socket waits at 100 ms, and grows only while it holds anything: of
 * a broker that takes seconds for everything it has nothing at all. The largest value is always counted.
 */
function p99Of({ p99, max, cnt, outofrange }: WindowStatistics): number {
  return outofrange > 0.01 * cnt ? max : p99;
}
