import { PlimsollError } from '../errors.ts';
import type { BrokerAddress, BrokerSource, CandidateSource, SourceProof } from './broker-source.ts';
import type { SourceKind } from './signal-source.ts';

export interface SourceAssignment {
  readonly sources: readonly BrokerSource[];
  /** Those that neither name their broker nor stand on a host of their own. */
  readonly open: readonly CandidateSource[];
}

/**
 * Assigns sources to brokers from what is known without load: the id that a page names, else a host that one broker
 * and one source share with nobody else. Of two with the same place the first is taken.
 * @throws PlimsollError METRICS_MISMATCH when the page, or its host, says that it is another broker's.
 */
export function assignSources(
  brokers: readonly BrokerAddress[],
  candidates: readonly CandidateSource[],
): SourceAssignment {
  const sources: BrokerSource[] = [];
  const open: CandidateSource[] = [];
  for (const candidate of candidates) {
    const known = ownerOf(candidate, brokers, candidates);
    if (known === null) {
      open.push(candidate);
      continue;
    }
    const { brokerId, proof } = known;
    requireGivenBroker(candidate, brokerId, proof);
    const { source, resolution } = candidate;
    const twin = sources.find((other) => other.brokerId === brokerId);
    if (twin !== undefined && twin.source.place !== source.place) {
      throw mismatch(
        `the pages at ${twin.source.place} and ${source.place} are both of broker ${brokerId}; ${ONE_EACH[source.kind]}`,
      );
    }
    if (twin === undefined) sources.push({ brokerId, source, resolution, proof });
  }
  return { sources, open };
}

const ONE_EACH: Readonly<Record<SourceKind, string>> = {
  scrape: 'give one page per broker',
  jolokia: 'give one agent per broker',
  prometheus: 'leave one of them out with signals.selector',
};

/** @throws PlimsollError METRICS_MISMATCH when the source was given for another broker than it belongs to. */
export function requireGivenBroker(candidate: CandidateSource, brokerId: number, proof: SourceProof): void {
  const { givenTo, source } = candidate;
  if (givenTo === null || givenTo === brokerId) return;
  throw mismatch(
    `the page at ${source.place} is given for broker ${givenTo} but is broker ${brokerId}'s (${proof}); correct the metrics setting`,
  );
}

function ownerOf(
  candidate: CandidateSource,
  brokers: readonly BrokerAddress[],
  candidates: readonly CandidateSource[],
): { readonly brokerId: number; readonly proof: SourceProof } | null {
  const named = candidate.resolution.identity.brokerId;
  if (named !== null) {
    if (brokers.some((broker) => broker.id === named)) {
      return { brokerId: named, proof: 'the page names the broker' };
    }
    const ids = brokers.map((broker) => broker.id).join(', ');
    throw mismatch(
      `the page at ${candidate.source.place} is of node ${named}, but the cluster's brokers are ${ids}; give the pages of these`,
    );
  }
  if (candidate.host === null) return null;
  const host = sameName(candidate.host);
  const there = brokers.filter((broker) => sameName(broker.host) === host);
  const isAlone =
    candidates.filter((other) => other.host !== null && sameName(other.host) === host).length === 1;
  const [only] = there;
  return only !== undefined && there.length === 1 && isAlone
    ? { brokerId: only.id, proof: 'same host' }
    : null;
}

/** All names of this machine count as one. */
function sameName(host: string): string {
  const lower = host.toLowerCase().replace(/^\[|\]$/g, '');
  return lower === '::1' || /^127\./.test(lower) ? 'localhost' : lower;
}

function mismatch(message: string): PlimsollError {
  return new PlimsollError('METRICS_MISMATCH', message);
}
