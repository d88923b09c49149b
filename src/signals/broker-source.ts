import type { PageResolution } from './resolve-series.ts';
import type { SignalSource } from './signal-source.ts';

/** A broker as Kafka's metadata names it. */
export interface BrokerAddress {
  readonly id: number;
  readonly host: string;
  readonly port: number;
}

/** A source before it is known whose signals it carries. */
export interface OpenedSource {
  readonly source: SignalSource;
  /** The broker that the user gave it for; null when sources came as a list or were found. */
  readonly givenTo: number | null;
  /** Host that the signals are of; null when the place does not tell. */
  readonly host: string | null;
}

/** A source that answers and shows a broker's idle. */
export interface CandidateSource extends OpenedSource {
  readonly resolution: PageResolution;
}

/** How it is known that a source is this broker's. */
export type SourceProof =
  | 'the page names the broker'
  | 'same host'
  | 'moved with load'
  | 'as given, unproven';

/** Where one broker is looked at. Whoever has it closes `source`. */
export interface BrokerSource {
  readonly brokerId: number;
  readonly source: SignalSource;
  readonly resolution: PageResolution;
  readonly proof: SourceProof;
}
