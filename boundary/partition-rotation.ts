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

/** Where a producer is in its rotation. */
export interface Rotation {
  readonly partition: number;
  /** Start of the running batch, ms since the common start. */
  readonly sinceMs: number;
  readonly bytes: number;
}

/**
 * First partition of a producer. Neighbouring producers start on neighbouring partitions, and Kafka deals
 * neighbouring partitions to different brokers, so a few producers are spread over the brokers as well as many.
 */
export function startRotation(rule: RotationRule, producer: number): Rotation {
  return { partition: producer % rule.partitions, sinceMs: Number.NEGATIVE_INFINITY, bytes: 0 };
}

/**
 * Rotation after a message of `messageBytes` at `elapsedMs`; the message goes to the returned partition.
 * Moves by exactly one partition per batch, counted from the batch's first message: a fixed time grid would beat
 * with the message interval and skip partitions for ever.
 */
export function rotate(rule: RotationRule, now: Rotation, elapsedMs: number, messageBytes: number): Rotation {
  if (now.sinceMs === Number.NEGATIVE_INFINITY) return { ...now, sinceMs: elapsedMs, bytes: messageBytes };
  const isFull = now.bytes + messageBytes > rule.batchBytes;
  if (!isFull && elapsedMs - now.sinceMs < rule.dwellMs) return { ...now, bytes: now.bytes + messageBytes };
  return { partition: (now.partition + 1) % rule.partitions, sinceMs: elapsedMs, bytes: messageBytes };
}
