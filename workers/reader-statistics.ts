/** What one consumer's statistics say at one instant. */
export interface ReaderStatistics {
  /** Messages fetched and not yet taken by the application. */
  readonly fetched: number;
  /** Whether every assigned partition is being fetched. */
  readonly isFetching: boolean;
  /** Largest throttle time that a broker asked for in the last interval, ms. */
  readonly throttleMs: number;
}

interface RawStatistics {
  readonly brokers: Readonly<Record<string, { readonly throttle: { readonly max: number } }>>;
  readonly topics: Readonly<
    Record<
      string,
      {
        readonly partitions: Readonly<
          Record<string, { readonly fetchq_cnt: number; readonly fetch_state: string }>
        >;
      }
    >
  >;
}

/**
 * Reads librdkafka's statistics (STATISTICS.md) of a consumer. Its partitions share one queue, whose whole length each of
 * them shows as its own `fetchq_cnt`.
 * @param partitions that are assigned.
 */
export function readReaderStatistics(
  text: string,
  topic: string,
  partitions: readonly number[],
): ReaderStatistics {
  const raw = JSON.parse(text) as RawStatistics;
  const told = raw.topics[topic]?.partitions ?? {};
  const own = partitions.map((partition) => told[String(partition)]);
  return {
    fetched: own.reduce((most, partition) => Math.max(most, partition?.fetchq_cnt ?? 0), 0),
    isFetching: own.every((partition) => partition?.fetch_state === 'active'),
    throttleMs: Object.values(raw.brokers).reduce((most, { throttle }) => Math.max(most, throttle.max), 0),
  };
}
