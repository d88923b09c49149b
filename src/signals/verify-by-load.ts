import { setTimeout as sleep } from 'node:timers/promises';
import { PlimsollError } from '../errors.ts';
import { requireGivenBroker } from './assign-pages.ts';
import type { BrokerPage, CandidatePage } from './broker-page.ts';
import { readPageValues } from './broker-reading.ts';
import { type ScrapeOptions, scrapePage } from './scrape.ts';

/** Sends some bytes to partitions that this broker leads, and returns when they are acknowledged. */
export type SendToBroker = (brokerId: number) => Promise<void>;

/** Exporters may cache their beans for a while. */
const LOOKS = 10;
const BETWEEN_LOOKS_MS = 500;
/** The page that moved must have moved this many times more than any other, as others may be in use. */
const CLEAR_LEAD = 3;

export interface LoadCheck {
  /** Brokers without a page. */
  readonly brokerIds: readonly number[];
  /** Pages without a broker. */
  readonly candidates: readonly CandidatePage[];
  readonly scrape: ScrapeOptions;
  readonly send: SendToBroker;
  /** Pause between two looks at the pages, ms; default 500. */
  readonly betweenLooksMs?: number;
}

/**
 * Tells whose page is whose by sending bytes to one broker after the other and watching which page's bytes-in move.
 * Bytes that followers fetch are counted elsewhere, so only the leader's page moves.
 * @throws PlimsollError METRICS_MISMATCH when no page moves clearly or another one than given; METRIC_MISSING when
 * a page has no bytes-in.
 */
export async function verifyPagesByLoad(check: LoadCheck): Promise<readonly BrokerPage[]> {
  const pages: BrokerPage[] = [];
  for (const brokerId of check.brokerIds) {
    const left = check.candidates.filter((candidate) => !pages.some((page) => page.url === candidate.url));
    if (left.length === 0) break;
    const moved = await findMovedPage(brokerId, { ...check, candidates: left });
    requireGivenBroker(moved, brokerId, 'moved with load');
    pages.push({ brokerId, url: moved.url, resolution: moved.resolution, proof: 'moved with load' });
  }
  return pages;
}

async function findMovedPage(brokerId: number, check: LoadCheck): Promise<CandidatePage> {
  const { candidates, scrape, send } = check;
  const before = await readBytesIn(candidates, scrape);
  await send(brokerId);
  for (let look = 0; look < LOOKS; look++) {
    const now = await readBytesIn(candidates, scrape);
    const growth = now
      .map((bytes, index) => ({ bytes: bytes - (before[index] ?? 0), candidate: candidates[index] }))
      .sort((a, b) => b.bytes - a.bytes);
    const [first, second] = growth;
    if (first?.candidate && first.bytes > 0 && first.bytes >= CLEAR_LEAD * (second?.bytes ?? 0)) {
      return first.candidate;
    }
    await sleep(check.betweenLooksMs ?? BETWEEN_LOOKS_MS);
  }
  const urls = candidates.map((candidate) => candidate.url).join(', ');
  throw new PlimsollError(
    'METRICS_MISMATCH',
    `bytes sent to broker ${brokerId} showed on none of its possible pages (${urls}); give metrics as a map of broker id to URL`,
  );
}

function readBytesIn(candidates: readonly CandidatePage[], scrape: ScrapeOptions): Promise<number[]> {
  return Promise.all(
    candidates.map(async ({ url, resolution }) => {
      const page = await scrapePage(url, scrape);
      const read = page.kind === 'page' ? readPageValues(resolution, page.text) : page;
      if (read.kind === 'failed')
        throw new PlimsollError('METRICS_UNREACHABLE', `the page at ${url}: ${read.reason}`);
      if (read.values.bytesIn !== null) return read.values.bytesIn;
      throw new PlimsollError(
        'METRIC_MISSING',
        `the page at ${url} neither names its broker nor has bytes-in to find out; export ` +
          'kafka.server:type=BrokerTopicMetrics,name=BytesInPerSec or kafka.server:type=app-info',
      );
    }),
  );
}
