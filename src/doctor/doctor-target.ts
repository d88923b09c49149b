import type { ClientProperties } from '../queue/load-job.ts';
import type { SourceKind } from '../signals/signal-source.ts';
import type { SourceOptions } from '../signals/source-options.ts';

/** What the doctor looks at: values of the effective configuration, and facts that only the caller knows. */
export interface DoctorTarget {
  /** Version of Node, as in `process.versions.node`. */
  readonly nodeVersion: string;
  /** librdkafka properties with `bootstrap.servers`; null: no cluster given. */
  readonly client: ClientProperties | null;
  /** Metrics pages by broker id or as a list; empty: the usual ports are tried. */
  readonly metrics: Readonly<Record<string, string>> | readonly string[];
  /** How the brokers are looked at; `none`: not at all. */
  readonly signals: {
    readonly source: SourceKind | 'none';
    readonly selector: string | null;
    readonly idle: string | null;
    readonly options: SourceOptions;
  };
  /** null: the run starts a Redis of its own. */
  readonly redisUrl: string | null;
  /** Namespace of the queue on Redis. */
  readonly namespace: string;
  /** PLIMSOLL_HOME. */
  readonly home: string;
  /** Folder of the local cluster, when the brokers are its; their disk is looked at. */
  readonly localClusterDirectory: string | null;
  /** Bytes that the run may write to all brokers together, replicas included; null: not known beforehand. */
  readonly byteBudget: number | null;
  /** Deadline of each question, ms. */
  readonly timeoutMs: number;
}
