import type { Sample } from './exposition.ts';
import type { StoredSeries } from './prometheus-api.ts';

/** Everything that one scrape of one target left in the server. */
export interface StoredScrape {
  /** On the server's clock: when the scrape began. */
  readonly stampMs: number;
  /** How long it took; null when the server does not tell. */
  readonly durationMs: number | null;
  readonly samples: readonly Sample[];
}

/** The server's own word about each scrape of a target; carries the target's labels and none of the page's. */
export const DURATION_NAME = 'scrape_duration_seconds';

/** Stamps of one scrape lie this close together, as a share of the distance between two scrapes. */
const SAME_SCRAPE_SHARE = 0.1;

/**
 * Groups stored samples into the scrapes that they came from, in order of time, those with a stamp above `afterMs`.
 * Mostly the stamps of one scrape are equal; where replicas are merged they may differ by a little. What is stale is
 * stored as NaN and left out.
 * @param added labels that the server put on, to be taken off again; of a label that the page had too, the server
 * keeps the page's value under `exported_...`.
 */
export function groupScrapes(
  series: readonly StoredSeries[],
  added: ReadonlySet<string>,
  intervalMs: number,
  afterMs: number,
): readonly StoredScrape[] {
  const stamped = series
    .flatMap(({ labels, samples }) => samples.map((sample) => ({ labels, ...sample })))
    .filter(({ stampMs, value }) => stampMs > afterMs && !Number.isNaN(value))
    .sort((a, b) => a.stampMs - b.stampMs);
  const pages = new Map<StoredSeries['labels'], Pick<Sample, 'name' | 'labels'>>(
    series.map(({ labels }) => [labels, pageSeries(labels, added)]),
  );
  const scrapes: { stampMs: number; durationMs: number | null; samples: Sample[] }[] = [];
  for (const { labels, stampMs, value } of stamped) {
    let scrape = scrapes.at(-1);
    if (scrape === undefined || stampMs - scrape.stampMs > SAME_SCRAPE_SHARE * intervalMs) {
      scrape = { stampMs, durationMs: null, samples: [] };
      scrapes.push(scrape);
    }
    const page = pages.get(labels);
    if (page === undefined) continue;
    if (page.name === DURATION_NAME) scrape.durationMs = value * 1_000;
    else scrape.samples.push({ ...page, value, timestampMs: stampMs, line: scrape.samples.length + 1 });
  }
  return scrapes;
}

/** Labels that the server put on every series of one target: those of its own word about the target, where it has one. */
export function addedLabels(series: readonly StoredSeries[]): ReadonlySet<string> {
  const own = series.find(({ labels }) => labels.__name__ === DURATION_NAME || labels.__name__ === 'up');
  if (own === undefined) return new Set(['instance', 'job']);
  return new Set(Object.keys(own.labels).filter((name) => name !== '__name__'));
}

/** Median distance between neighbours, ms; null when there are fewer than two. */
export function intervalOf(stampsMs: readonly number[]): number | null {
  const distances = stampsMs
    .slice(1)
    .map((stampMs, index) => stampMs - (stampsMs[index] ?? stampMs))
    .filter((distance) => distance > 0)
    .sort((a, b) => a - b);
  return distances[Math.floor(distances.length / 2)] ?? null;
}

function pageSeries(
  labels: StoredSeries['labels'],
  added: ReadonlySet<string>,
): Pick<Sample, 'name' | 'labels'> {
  const own = new Map<string, string>();
  for (const [label, value] of Object.entries(labels)) {
    if (label === '__name__' || added.has(label)) continue;
    const renamed = /^exported_(.+)$/.exec(label)?.[1];
    own.set(renamed !== undefined && added.has(renamed) ? renamed : label, value);
  }
  return { name: labels.__name__ ?? '', labels: own };
}
