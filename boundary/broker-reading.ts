/**
 * What one look at one broker yields. Times called `...AtMs` are milliseconds on the run's clock; everything is
 * JSON-safe. Null always means "not shown", never zero.
 */

/** A look at a broker, or the reason why there is none: a gap must never look like health. */
export type BrokerPoll = BrokerReading | MissedPoll;

export interface MissedPoll {
  readonly kind: 'missed';
  readonly brokerId: number;
  readonly atMs: number;
  readonly reason: string;
  /** The look that this point of the grid waited for did come in the end: what it counts is late, not lost. */
  readonly isAnsweredLate: boolean;
}

export interface BrokerReading {
  readonly kind: 'reading';
  readonly brokerId: number;
  /** When the values were taken: middle of the scrape, or the time stamp of whoever scraped. */
  readonly atMs: number;
  /** How long the scrape took; the values are of some moment within. */
  readonly scrapeMs: number;
  readonly idle: IdleMeter;
  readonly underReplicatedPartitions: number | null;
  readonly underMinIsrPartitions: number | null;
  readonly offlinePartitions: number | null;
  readonly isrShrinks: Meter | null;
  readonly isrExpands: Meter | null;
  /** Bytes of produce requests, leader traffic. */
  readonly bytesIn: Meter | null;
  readonly bytesOut: Meter | null;
  readonly replicationBytesIn: Meter | null;
  readonly messagesIn: Meter | null;
  /** Produce plus fetch requests, cumulative: how often a handler wakes up. */
  readonly requests: number | null;
  readonly requestQueueSize: number | null;
  /** p99 of the time of a produce request in the broker (TotalTimeMs), ms; lags a step by minutes. */
  readonly produceP99Ms: number | null;
  /** Idle of the network threads, 0..1; of the controller's on combined nodes (KAFKA-20453). */
  readonly networkIdle: number | null;
  readonly processCpuSeconds: number | null;
  /** Time spent in garbage collection since the start, s. */
  readonly gcSeconds: number | null;
}

/** A Yammer meter of events: its cumulative count, or at least its one-minute rate (events per second). */
export interface Meter {
  readonly count: number | null;
  readonly oneMinuteRate: number | null;
}

/** What stands for the room that a broker has left. */
export type IdleMeter = HandlerIdle | CoreIdle;

/** RequestHandlerAvgIdlePercent: all attributes that the page shows, at least one of them. */
export interface HandlerIdle {
  readonly kind: 'request handlers';
  readonly pool: HandlerPool;
  /** Idle nanoseconds of the handlers divided by their number, cumulative. */
  readonly countNs: number | null;
  /** Count / age of the meter: with Count it makes the page its own clock. */
  readonly meanRate: number | null;
  readonly oneMinuteRate: number | null;
  readonly fiveMinuteRate: number | null;
  readonly fifteenMinuteRate: number | null;
  /** Age of the broker's process by its own clock, ms: the meter starts up to half a minute later. */
  readonly processAgeMs: number | null;
}

/**
 * Whose threads a meter speaks for. Up to Kafka 4.1 the controller of a combined node marks the broker's meter
 * (`sum`, 0..2, KAFKA-19606); from 4.2 the aggregate is the mean over both pools (KIP-1207) and
 * BrokerRequestHandlerAvgIdlePercent is the broker's own.
 */
export type HandlerPool = 'broker' | 'sum of broker and controller' | 'mean of broker and controller';

/** Redpanda has no handler threads: cumulative busy seconds of each core, in the order of shards. */
export interface CoreIdle {
  readonly kind: 'cores';
  readonly busySeconds: readonly number[];
}
