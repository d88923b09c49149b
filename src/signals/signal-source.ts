import type { Exposition } from './exposition.ts';

/**
 * One way of looking at one broker. Whatever carries the series (the exporter's page, a Prometheus server, Jolokia), a
 * look ends in the same form, so one resolver and one reader serve them all.
 * Owns connections; `close` it.
 */
export interface SignalSource {
  readonly kind: SourceKind;
  /** Names the place in messages: URL without credentials, and what selects the broker there. */
  readonly place: string;
  /** How often something new can be seen, ms; 0: with every look. */
  readonly refreshMs: number;
  /** Never throws: a broker that does not answer is an expected outcome while it is driven to its limit. */
  look(request: LookRequest): Promise<Look>;
  close(): void;
}

export type SourceKind = 'scrape' | 'prometheus' | 'jolokia';

export interface LookRequest {
  /**
   * Names of the series to bring, as the broker writes them; `telling`: all that a first look needs to decide which
   * those are (`isTellingName`).
   */
  readonly wanted: ReadonlySet<string> | 'telling';
  /** Deadline of the whole look, connect to last byte, ms. */
  readonly deadlineMs: number;
  /** The run's clock, ms since the epoch. */
  readonly nowMs: () => number;
}

export type Look = Looked | FailedLook;

export interface Looked {
  readonly kind: 'looked';
  /** In order of time. One for a page; those since the last look when somebody else scrapes; may be empty. */
  readonly snapshots: readonly Snapshot[];
  /** What the look cost: time and bytes over the wire. */
  readonly tookMs: number;
  readonly bytes: number;
}

export interface FailedLook {
  readonly kind: 'failed';
  /** Short, without the place. */
  readonly reason: string;
}

/** The series of one broker as they stood at one instant. */
export interface Snapshot {
  readonly series: Exposition;
  /** On the run's clock. */
  readonly atMs: number;
  /** The values are of some moment within so much time around `atMs`. */
  readonly scrapeMs: number;
  /** The answering side's own clock (HTTP Date, a whole second), ms since the epoch; null when it does not tell. */
  readonly serverDateMs: number | null;
}
