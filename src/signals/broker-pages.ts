import { PlimsollError } from '../errors.ts';
import { assignPages } from './assign-pages.ts';
import type { BrokerAddress, BrokerPage, CandidatePage } from './broker-page.ts';
import { resolveSeries } from './resolve-series.ts';
import { type ScrapeOptions, scrapePage } from './scrape.ts';
import { type SendToBroker, verifyPagesByLoad } from './verify-by-load.ts';

export interface BrokerPagesRequest {
  readonly brokers: readonly BrokerAddress[];
  /** URL per broker id, a list in any order, or null (also: empty) to try the usual ports of the brokers' hosts. */
  readonly metrics: Readonly<Record<string, string>> | readonly string[] | null;
  readonly scrape: ScrapeOptions;
  /** Without it, pages are matched by id and host only. */
  readonly verifyByLoad?: SendToBroker;
}

/** Where exporters usually listen: JMX exporter, Strimzi, Bitnami, MSK, Confluent for Kubernetes, reporter. */
export const USUAL_METRICS_PORTS = [7071, 9404, 5556, 11001, 7778, 8080] as const;

/**
 * Finds each broker's metrics page and makes sure that it is that broker's: by the id that the page names, else by a
 * host of its own, else by `verifyByLoad`.
 * @returns one page per broker, by broker id.
 * @throws PlimsollError METRICS_UNREACHABLE, METRIC_MISSING or METRICS_MISMATCH, naming broker and page.
 */
export async function findBrokerPages(request: BrokerPagesRequest): Promise<readonly BrokerPage[]> {
  const { brokers, scrape, verifyByLoad } = request;
  const candidates = await candidatePages(request);
  const { pages, open } = assignPages(brokers, candidates);
  const bare = brokers.filter((broker) => !pages.some((page) => page.brokerId === broker.id));
  const proven =
    open.length === 0 || bare.length === 0
      ? []
      : verifyByLoad === undefined
        ? trustGiven(bare, open)
        : await verifyPagesByLoad({
            brokerIds: bare.map(({ id }) => id),
            candidates: open,
            scrape,
            send: verifyByLoad,
          });
  const all = [...pages, ...proven].sort((a, b) => a.brokerId - b.brokerId);
  const missing = bare.filter((broker) => !proven.some((page) => page.brokerId === broker.id));
  if (missing.length > 0) throw noPage(missing, request.metrics);
  return all;
}

async function candidatePages({
  brokers,
  metrics,
  scrape,
}: BrokerPagesRequest): Promise<readonly CandidatePage[]> {
  const given = givenPages(metrics);
  if (given.length === 0) return discoverPages(brokers, scrape);
  const stranger = given.find(({ givenTo }) => givenTo !== null && !brokers.some(({ id }) => id === givenTo));
  if (stranger !== undefined) {
    throw new PlimsollError(
      'METRICS_MISMATCH',
      `metrics names broker ${stranger.givenTo} (${stranger.url}), but the cluster's brokers are ` +
        `${brokers.map(({ id }) => id).join(', ')}; correct the metrics setting`,
    );
  }
  return Promise.all(
    given.map(async ({ url, givenTo }) => {
      const page = await scrapePage(url, scrape);
      if (page.kind === 'page') return { url, givenTo, resolution: resolveSeries(page.text, url) };
      const whose = givenTo === null ? '' : ` of broker ${givenTo}`;
      throw new PlimsollError(
        'METRICS_UNREACHABLE',
        `the metrics page${whose} at ${url} does not answer: ${page.reason}; check the URL and the exporter`,
      );
    }),
  );
}

function givenPages(
  metrics: BrokerPagesRequest['metrics'],
): readonly { readonly url: string; readonly givenTo: number | null }[] {
  if (metrics === null) return [];
  if (isList(metrics)) return metrics.map((url) => ({ url, givenTo: null }));
  return Object.entries(metrics).map(([id, url]) => ({ url, givenTo: Number(id) }));
}

function isList(metrics: NonNullable<BrokerPagesRequest['metrics']>): metrics is readonly string[] {
  return Array.isArray(metrics);
}

/** Whatever answers on a usual port and is a broker's page; everything else there is none of our business. */
async function discoverPages(
  brokers: readonly BrokerAddress[],
  scrape: ScrapeOptions,
): Promise<readonly CandidatePage[]> {
  const hosts = [...new Set(brokers.map((broker) => broker.host))];
  const urls = hosts.flatMap((host) =>
    USUAL_METRICS_PORTS.map((port) => `http://${urlHost(host)}:${port}/metrics`),
  );
  const found = await Promise.all(
    urls.map(async (url): Promise<CandidatePage | null> => {
      const page = await scrapePage(url, scrape);
      if (page.kind === 'failed') return null;
      try {
        const resolution = resolveSeries(page.text, url);
        const named = resolution.identity.brokerId;
        const isStranger = named !== null && !brokers.some((broker) => broker.id === named);
        return isStranger ? null : { url, givenTo: null, resolution };
      } catch {
        return null;
      }
    }),
  );
  return found.filter((page) => page !== null);
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Without load to tell, a map is believed, as is the one page of the one broker. */
function trustGiven(bare: readonly BrokerAddress[], open: readonly CandidatePage[]): readonly BrokerPage[] {
  return open.map(({ url, givenTo, resolution }) => {
    const onlyBroker = bare.length === 1 && open.length === 1 ? bare[0] : undefined;
    const brokerId = givenTo ?? onlyBroker?.id;
    if (brokerId !== undefined) return { brokerId, url, resolution, proof: 'as given, unproven' };
    throw new PlimsollError(
      'METRICS_MISMATCH',
      `cannot tell which broker the page at ${url} belongs to; give metrics as a map of broker id to URL`,
    );
  });
}

function noPage(missing: readonly BrokerAddress[], metrics: BrokerPagesRequest['metrics']): PlimsollError {
  const who = missing.map(({ id, host, port }) => `${id} (${host}:${port})`).join(', ');
  const tried =
    givenPages(metrics).length === 0 ? ` on the usual ports (${USUAL_METRICS_PORTS.join(', ')})` : '';
  const example = missing[0]?.id ?? 1;
  return new PlimsollError(
    'METRICS_UNREACHABLE',
    `no metrics page for broker ${who}${tried}; give its URL, as in metrics: ${example}=http://host:7071/metrics`,
  );
}
