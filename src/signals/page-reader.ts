import { messageOf } from '../errors.ts';
import { type PageValues, readValues } from './broker-reading.ts';
import { confirmBySecondLook } from './confirm-by-second-look.ts';
import { type PageResolution, resolveSeries } from './resolve-series.ts';
import type { LookRequest, Snapshot } from './signal-source.ts';

export type ReadPage =
  | { readonly kind: 'values'; readonly values: PageValues }
  | { readonly kind: 'failed'; readonly reason: string };

/** What is known of which series of a broker's page is what. */
type Knowledge =
  /** `before` held until a page lacked its series. */
  | { readonly kind: 'unknown'; readonly before: PageResolution | null }
  | { readonly kind: 'unconfirmed'; readonly resolution: PageResolution; readonly first: Snapshot }
  | { readonly kind: 'settled'; readonly resolution: PageResolution };

/** Looks closer together than this confirm nothing, ms. */
const CONFIRMED_AFTER_MS = 1_000;

/**
 * Reads one broker's pages, one after another. An exporter that comes back with other rules is understood anew: the page
 * without the known series is a failure, the next look brings all that tells, and the one after confirms it, as until
 * then a number might mean something else.
 */
export class PageReader {
  private readonly place: string;
  private readonly idleSelector: string | null;
  private knowledge: Knowledge;

  /** @param resolution confirmed by two looks already, or null: decided on the first pages. */
  constructor(place: string, resolution: PageResolution | null, idleSelector: string | null) {
    this.place = place;
    this.idleSelector = idleSelector;
    this.knowledge =
      resolution === null ? { kind: 'unknown', before: null } : { kind: 'settled', resolution };
  }

  /** What the next look has to bring. */
  get wanted(): LookRequest['wanted'] {
    return this.knowledge.kind === 'unknown' ? 'telling' : this.knowledge.resolution.wantedNames;
  }

  /** @returns the values, or a short reason why this page does not count as a look at the broker. */
  read(snapshot: Snapshot): ReadPage {
    try {
      return this.readOrThrow(snapshot);
    } catch (error) {
      const before = this.knowledge.kind === 'unknown' ? this.knowledge.before : null;
      this.knowledge = { kind: 'unknown', before };
      return { kind: 'failed', reason: messageOf(error) };
    }
  }

  private readOrThrow(snapshot: Snapshot): ReadPage {
    const { knowledge } = this;
    switch (knowledge.kind) {
      case 'settled':
        return this.readSettled(knowledge.resolution, snapshot);
      case 'unconfirmed': {
        const { resolution, first } = knowledge;
        if (snapshot.atMs - first.atMs < CONFIRMED_AFTER_MS) return UNCONFIRMED;
        return this.readSettled(confirmBySecondLook(resolution, first, snapshot), snapshot);
      }
      case 'unknown':
        return this.readUnknown(knowledge.before, snapshot);
    }
  }

  private readSettled(resolution: PageResolution, snapshot: Snapshot): ReadPage {
    const read = readValues(resolution, snapshot);
    this.knowledge =
      read.kind === 'values' ? { kind: 'settled', resolution } : { kind: 'unknown', before: resolution };
    return read;
  }

  private readUnknown(before: PageResolution | null, snapshot: Snapshot): ReadPage {
    if (before !== null) {
      const read = this.readSettled(before, snapshot);
      if (read.kind === 'values') return read;
    }
    const resolution = resolveSeries(snapshot.series, this.place, { idleSelector: this.idleSelector });
    this.knowledge = { kind: 'unconfirmed', resolution, first: snapshot };
    return UNCONFIRMED;
  }
}

const UNCONFIRMED: ReadPage = { kind: 'failed', reason: 'series not confirmed by a second look yet' };
