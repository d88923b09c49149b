/**
 * Which partition a producer sends to. It stays on one partition for a batch and then takes the next: handing out
 * partitions message by message makes every message its own request (librdkafka puts one partition's batch in a
 * request), which measures the request rate instead of the throughput.
 */
export interface RotationRule {
  readonly partitions: number;
  /** How long a batch may take to fill, ms: 2 x linger.ms. */
  readonly dwellMs: number;
  /** Bytes after which the batch is full: batch.size. */
  readonly batchBytes: number;
}

/** A producer's walk over the partitions. It keeps count by itself: an object for each message would cost as much as its sending. */
export interface PartitionRotation {
  /**
   * Partition of the next message, of `messageBytes` bytes at `elapsedMs` since the common start. Moves by exactly one
   * partition per batch, counted from the batch's first message: a fixed time grid would beat with the message interval
   * and skip partitions for ever. A message that is refused afterwards counts too; its batch is a little short then.
   */
  next(elapsedMs: number, messageBytes: number): number;
}

/**
 * Rotation of a producer, by its number in the trial. Neighbouring producers start on neighbouring partitions, and Kafka
 * deals neighbouring partitions to different brokers, so a few producers are spread over the brokers as well as many.
 */
export function startRotation(rule: RotationRule, producer: number): PartitionRotation {
  const { partitions, dwellMs, batchBytes } = rule;
  let partition = producer % partitions;
  let sinceMs = Number.NEGATIVE_INFINITY;
  let bytes = 0;
  return {
    next: (elapsedMs, messageBytes) => {
      const isFull = bytes + messageBytes > batchBytes;
      if (isFull || elapsedMs - sinceMs >= dwellMs) {
        // The very first batch stays where the producer starts.
        if (sinceMs !== Number.NEGATIVE_INFINITY) partition = (partition + 1) % partitions;
        sinceMs = elapsedMs;
        bytes = 0;
      }
      bytes += messageBytes;
      return partition;
    },
  };
}
