/** How a local cluster is started. */
export interface LocalClusterOptions {
  /** Number of brokers; the controller comes on top. Default 3. */
  readonly brokers?: number;
  /** Default `DEFAULT_KAFKA_VERSION`. */
  readonly kafkaVersion?: string;
  /** State, logs and data live under it. */
  readonly directory: string;
  /** Jar cache of this Kafka version; default `.cache/jars/<version>` of the package. */
  readonly jarsDirectory?: string;
  /** True: the cluster goes on when this program ends. False: it dies with it, also on kill -9. */
  readonly keepRunning: boolean;
  /** How long a follower may lag before it leaves the ISR, ms. Default 4000, so that a short trial can see it. */
  readonly replicaLagTimeMaxMs?: number;
  readonly onProgress?: (line: string) => void;
  /** Aborts the start; what was started is removed. */
  readonly signal?: AbortSignal;
}

/** A running local cluster. */
export interface LocalCluster {
  readonly bootstrap: string;
  /** Metrics page by broker id. */
  readonly metricsUrls: Readonly<Record<string, string>>;
  readonly kafkaVersion: string;
  readonly directory: string;
  readonly brokers: readonly {
    readonly id: number;
    readonly pid: number;
    readonly port: number;
    readonly metricsPort: number;
  }[];
  /** True when it was found running: then `stop` leaves it to whoever started it. */
  readonly isReused: boolean;
  /** Ends its processes and removes its data. */
  stop(): Promise<void>;
}

/** The Kafka that the local cluster runs unless told otherwise. */
export const DEFAULT_KAFKA_VERSION = '4.4.0';
export const DEFAULT_BROKER_COUNT = 3;
export const DEFAULT_REPLICA_LAG_TIME_MAX_MS = 4_000;
