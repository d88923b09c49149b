import type { ClientListenerOptions } from './client-listener.ts';

/** How a broker shows its metrics. */
export interface ExporterOptions {
  /** Jar of the JMX exporter's agent; default the one that is fetched with Kafka. */
  readonly agentJar?: string;
  /** Its rules, of which the broker gets a copy of its own; default those for users, deploy/jmx-exporter/plimsoll.yaml. */
  readonly rulesFile?: string;
}

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
  /** Exporter of each broker in the order of their ids; the last one also of those beyond the list. */
  readonly exporters?: readonly ExporterOptions[];
  /** Further `-javaagent:` texts for every broker; `{port}` in them becomes a free port, told in `agentPorts`. */
  readonly javaAgents?: readonly string[];
  /** True: broker 1 is the controller too, in one process, as small clusters are often run. Default false. */
  readonly isCombined?: boolean;
  /** A second listener for clients; default none. */
  readonly clients?: ClientListenerOptions;
  /** Data folder of brokers that keep theirs elsewhere, by id; it stays when the cluster goes. */
  readonly dataFolders?: Readonly<Record<number, string>>;
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
    /** Port of each of the `javaAgents`, in their order. */
    readonly agentPorts: readonly number[];
  }[];
  /** The second listener, when there is one: the way in that is told to clients, and what they need (librdkafka's names). */
  readonly clients: {
    readonly bootstrap: string;
    /** Where the brokers listen, by broker. */
    readonly ports: readonly number[];
    readonly properties: Readonly<Record<string, string>>;
  } | null;
  /** True when it was found running: then `stop` leaves it to whoever started it. */
  readonly isReused: boolean;
  /** Ends its processes and removes its data. */
  stop(): Promise<void>;
}

/** The Kafka that the local cluster runs unless told otherwise. */
export const DEFAULT_KAFKA_VERSION = '4.4.0';
export const DEFAULT_BROKER_COUNT = 3;
export const DEFAULT_REPLICA_LAG_TIME_MAX_MS = 4_000;
