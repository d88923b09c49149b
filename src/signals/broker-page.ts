import type { PageResolution } from './resolve-series.ts';

/** A broker as Kafka's metadata names it. */
export interface BrokerAddress {
  readonly id: number;
  readonly host: string;
  readonly port: number;
}

/** A page that answers and shows a broker's idle. */
export interface CandidatePage {
  readonly url: string;
  /** The broker that the user gave it for; null when pages came as a list or were found. */
  readonly givenTo: number | null;
  readonly resolution: PageResolution;
}

/** How it is known that a page is this broker's. */
export type PageProof = 'the page names the broker' | 'same host' | 'moved with load' | 'as given, unproven';

export interface BrokerPage {
  readonly brokerId: number;
  readonly url: string;
  readonly resolution: PageResolution;
  readonly proof: PageProof;
}
