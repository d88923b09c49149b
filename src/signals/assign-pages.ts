import { PlimsollError } from '../errors.ts';
import type { BrokerAddress, BrokerPage, CandidatePage, PageProof } from './broker-page.ts';

export interface PageAssignment {
  readonly pages: readonly BrokerPage[];
  /** Pages that neither name their broker nor stand on a host of their own. */
  readonly open: readonly CandidatePage[];
}

/**
 * Assigns pages to brokers from what is known without load: the id that a page names, else a host that one broker
 * and one page share with nobody else.
 * @throws PlimsollError METRICS_MISMATCH when the page, or its host, says that it is another broker's.
 */
export function assignPages(
  brokers: readonly BrokerAddress[],
  candidates: readonly CandidatePage[],
): PageAssignment {
  const pages: BrokerPage[] = [];
  const open: CandidatePage[] = [];
  for (const candidate of candidates) {
    const known = ownerOf(candidate, brokers, candidates);
    if (known === null) {
      open.push(candidate);
      continue;
    }
    const { brokerId, proof } = known;
    requireGivenBroker(candidate, brokerId, proof);
    const twin = pages.find((page) => page.brokerId === brokerId);
    if (twin !== undefined && twin.url !== candidate.url) {
      throw mismatch(
        `the pages at ${twin.url} and ${candidate.url} are both of broker ${brokerId}; give one page per broker`,
      );
    }
    if (twin === undefined)
      pages.push({ brokerId, url: candidate.url, resolution: candidate.resolution, proof });
  }
  return { pages, open };
}

/** @throws PlimsollError METRICS_MISMATCH when the page was given for another broker than it belongs to. */
export function requireGivenBroker(candidate: CandidatePage, brokerId: number, proof: PageProof): void {
  const { givenTo, url } = candidate;
  if (givenTo === null || givenTo === brokerId) return;
  throw mismatch(
    `the page at ${url} is given for broker ${givenTo} but is broker ${brokerId}'s (${proof}); correct the metrics setting`,
  );
}

function ownerOf(
  candidate: CandidatePage,
  brokers: readonly BrokerAddress[],
  candidates: readonly CandidatePage[],
): { readonly brokerId: number; readonly proof: PageProof } | null {
  const named = candidate.resolution.identity.brokerId;
  if (named !== null) {
    if (brokers.some((broker) => broker.id === named))
      return { brokerId: named, proof: 'the page names the broker' };
    const ids = brokers.map((broker) => broker.id).join(', ');
    throw mismatch(
      `the page at ${candidate.url} is of node ${named}, but the cluster's brokers are ${ids}; give the pages of these`,
    );
  }
  const host = hostOf(candidate.url);
  const there = brokers.filter((broker) => sameName(broker.host) === host);
  const isAlone = candidates.filter((other) => hostOf(other.url) === host).length === 1;
  const [only] = there;
  return only !== undefined && there.length === 1 && isAlone
    ? { brokerId: only.id, proof: 'same host' }
    : null;
}

function hostOf(url: string): string {
  return sameName(new URL(url).hostname.replace(/^\[|\]$/g, ''));
}

/** All names of this machine count as one. */
function sameName(host: string): string {
  const lower = host.toLowerCase();
  return lower === '::1' || /^127\./.test(lower) ? 'localhost' : lower;
}

function mismatch(message: string): PlimsollError {
  return new PlimsollError('METRICS_MISMATCH', message);
}
