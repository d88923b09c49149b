import { messageOf, PlimsollError } from '../errors.ts';
import { assignSources } from './assign-sources.ts';
import type { BrokerAddress, BrokerSource, CandidateSource, OpenedSource } from './broker-source.ts';
import { type OpenRequest, openSources, USUAL_METRICS_PORTS } from './open-sources.ts';
import { type ResolveRequest, resolveSource } from './resolve-source.ts';
import type { SourceKind } from './signal-source.ts';
import { type SendToBroker, verifyByLoad } from './verify-by-load.ts';

export interface BrokerSourcesRequest extends OpenRequest {
  /** Without it, sources are matched by id and host only. */
  readonly sendToBroker?: SendToBroker;
}

/**
 * Finds where each broker can be looked at and makes sure that it is that broker's: by the id that the page names,
 * else by a host of its own, else by load. Two looks, at least 1.1 s apart, settle which series is what.
 * @returns one open source per broker, by broker id, for the caller to close; all others are closed again.
 * @throws PlimsollError METRICS_UNREACHABLE, METRIC_MISSING, METRICS_MISMATCH or CONFIG_INVALID, naming broker and
 * place; everything is closed then.
 */
export async function findBrokerSources(request: BrokerSourcesRequest): Promise<readonly BrokerSource[]> {
  const { opened, areGiven } = await openSources(request);
  const kept = new Set<OpenedSource['source']>();
  try {
    const found = await matchSources(request, opened, areGiven);
    for (const { source } of found) kept.add(source);
    return found;
  } finally {
    for (const { source } of opened) if (!kept.has(source)) source.close();
  }
}

async function matchSources(
  request: BrokerSourcesRequest,
  opened: readonly OpenedSource[],
  areGiven: boolean,
): Promise<readonly BrokerSource[]> {
  const { brokers, deadlineMs, nowMs, sendToBroker } = request;
  const { candidates, refusals } = areGiven
    ? { candidates: await requireAll(opened, request), refusals: [] }
    : await keepBrokers(opened, request, brokers);
  const { sources, open } = assignSources(brokers, candidates);
  const bare = brokers.filter((broker) => !sources.some((source) => source.brokerId === broker.id));
  const proven =
    open.length === 0 || bare.length === 0
      ? []
      : sendToBroker === undefined
        ? trustGiven(bare, open, request.kind)
        : await verifyByLoad({
            brokerIds: bare.map(({ id }) => id),
            candidates: open,
            send: sendToBroker,
            deadlineMs,
            nowMs,
          });
  const missing = bare.filter((broker) => !proven.some((source) => source.brokerId === broker.id));
  if (missing.length > 0) throw noSource(missing, request, refusals, areGiven);
  return [...sources, ...proven].sort((a, b) => a.brokerId - b.brokerId);
}

/** Places that the user gave must all answer. */
function requireAll(
  opened: readonly OpenedSource[],
  request: ResolveRequest,
): Promise<readonly CandidateSource[]> {
  return Promise.all(
    opened.map(async (place) => {
      const resolved = await resolveSource(place.source, request);
      if (resolved.kind === 'resolved') return { ...place, resolution: resolved.resolution };
      const whose = place.givenTo === null ? '' : ` of broker ${place.givenTo}`;
      throw new PlimsollError(
        'METRICS_UNREACHABLE',
        `the metrics page${whose} at ${place.source.place} does not answer: ${resolved.reason}; check the URL and the exporter`,
      );
    }),
  );
}

/** Of the places that were found, whatever is a broker's; everything else there is none of our business. */
async function keepBrokers(
  opened: readonly OpenedSource[],
  request: ResolveRequest,
  brokers: readonly BrokerAddress[],
): Promise<{ readonly candidates: readonly CandidateSource[]; readonly refusals: readonly string[] }> {
  const refusals: string[] = [];
  const found = await Promise.all(
    opened.map(async (place): Promise<CandidateSource | null> => {
      try {
        const resolved = await resolveSource(place.source, request);
        if (resolved.kind === 'failed') {
          // On the usual ports of a host it says nothing that nobody answers.
          if (place.source.kind === 'prometheus') refusals.push(`${place.source.place}: ${resolved.reason}`);
          return null;
        }
        const named = resolved.resolution.identity.brokerId;
        const isStranger = named !== null && !brokers.some((broker) => broker.id === named);
        return isStranger ? null : { ...place, resolution: resolved.resolution };
      } catch (error) {
        // What the user wrote is wrong for every place.
        if (error instanceof PlimsollError && error.code === 'CONFIG_INVALID') throw error;
        refusals.push(messageOf(error));
        return null;
      }
    }),
  );
  return { candidates: found.filter((candidate) => candidate !== null), refusals };
}

/**
 * Without load to tell, a map is believed, as is the one source of the one broker; but not what was found in a
 * Prometheus server, which may know the brokers of many clusters.
 */
function trustGiven(
  bare: readonly BrokerAddress[],
  open: readonly CandidateSource[],
  kind: SourceKind,
): readonly BrokerSource[] {
  if (kind === 'prometheus' && open.every(({ givenTo }) => givenTo === null)) return [];
  return open.map(({ source, givenTo, resolution }) => {
    const onlyBroker = bare.length === 1 && open.length === 1 ? bare[0] : undefined;
    const brokerId = givenTo ?? onlyBroker?.id;
    if (brokerId !== undefined) return { brokerId, source, resolution, proof: 'as given, unproven' };
    throw new PlimsollError(
      'METRICS_MISMATCH',
      `cannot tell which broker the page at ${source.place} belongs to; give metrics as a map of broker id to URL`,
    );
  });
}

function noSource(
  missing: readonly BrokerAddress[],
  { kind }: BrokerSourcesRequest,
  refusals: readonly string[],
  areGiven: boolean,
): PlimsollError {
  const who = missing.map(({ id, host, port }) => `${id} (${host}:${port})`).join(', ');
  const id = missing[0]?.id ?? 1;
  const because = refusals[0] === undefined ? '' : ` (but: ${refusals[0]})`;
  switch (kind) {
    case 'prometheus':
      return new PlimsollError(
        'METRICS_UNREACHABLE',
        `no series of broker ${who} in Prometheus${because}; check signals.selector and that the brokers are scraped, ` +
          `or name the target, as in metrics: ${id}=http://host:9090/?instance=host:7071`,
      );
    case 'jolokia':
    case 'scrape': {
      const tried = areGiven ? '' : ` on the usual ports (${USUAL_METRICS_PORTS.join(', ')})`;
      const example = kind === 'scrape' ? 'http://host:7071/metrics' : 'http://host:8778/jolokia';
      return new PlimsollError(
        'METRICS_UNREACHABLE',
        `no metrics page for broker ${who}${tried}${because}; give its URL, as in metrics: ${id}=${example}`,
      );
    }
  }
}
