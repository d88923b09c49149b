import { afterEach, describe, expect, it } from 'vitest';
import { findBrokerPages } from '../../src/signals/broker-pages.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import { verifyPagesByLoad } from '../../src/signals/verify-by-load.ts';
import { idlePage, type MetricsServer, sendText, startMetricsServer } from './metrics-server.ts';

const BROKERS = [1, 2].map((id) => ({ id, host: 'localhost', port: 9090 + id }));
const scrape = { timeoutMs: 500 };
let servers: MetricsServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

/** Pages of brokers 1 and 2; `bytesIn` can be moved by the test. */
async function twoPages(named: boolean): Promise<{ urls: [string, string]; bytesIn: [number, number] }> {
  const bytesIn: [number, number] = [1_000, 1_000];
  const start = (index: 0 | 1) =>
    startMetricsServer((_, response) =>
      sendText(response, idlePage(5_000, { bytesIn: bytesIn[index], ...(named ? { id: index + 1 } : {}) })),
    );
  const started: [MetricsServer, MetricsServer] = [await start(0), await start(1)];
  servers.push(...started);
  return { urls: [started[0].url, started[1].url], bytesIn };
}

describe('findBrokerPages', () => {
  it('matches a list by the names on the pages', async () => {
    const { urls } = await twoPages(true);
    const pages = await findBrokerPages({ brokers: BROKERS, metrics: urls.toReversed(), scrape });
    expect(pages.map(({ brokerId, url, proof }) => [brokerId, url, proof])).toEqual([
      [1, urls[0], 'the page names the broker'],
      [2, urls[1], 'the page names the broker'],
    ]);
  });

  it('matches pages without names by the load that moves', async () => {
    const { urls, bytesIn } = await twoPages(false);
    const pages = await findBrokerPages({
      brokers: BROKERS,
      metrics: urls.toReversed(),
      scrape,
      verifyByLoad: async (brokerId) => {
        bytesIn[brokerId === 1 ? 0 : 1] += 100_000;
      },
    });
    expect(pages.map(({ brokerId, url, proof }) => [brokerId, url, proof])).toEqual([
      [1, urls[0], 'moved with load'],
      [2, urls[1], 'moved with load'],
    ]);
  });

  for (const { why, named, metrics, isLoadSent = false, code, says } of [
    {
      why: 'swapped map, pages with names',
      named: true,
      metrics: ([a, b]: [string, string]) => ({ 1: b, 2: a }),
      code: 'METRICS_MISMATCH',
      says: /given for broker 1 but is broker 2's/,
    },
    {
      why: 'swapped map, found out by load',
      named: false,
      metrics: ([a, b]: [string, string]) => ({ 1: b, 2: a }),
      isLoadSent: true,
      code: 'METRICS_MISMATCH',
      says: /given for broker 2 but is broker 1's \(moved with load\)/,
    },
    {
      why: 'list without names and without load',
      named: false,
      metrics: (urls: [string, string]) => urls,
      code: 'METRICS_MISMATCH',
      says: /cannot tell which broker/,
    },
    {
      why: 'one page missing',
      named: true,
      metrics: ([a]: [string, string]) => [a],
      code: 'METRICS_UNREACHABLE',
      says: /no metrics page for broker 2 \(localhost:9092\)/,
    },
    {
      why: 'a broker that is not there',
      named: true,
      metrics: ([a, b]: [string, string]) => ({ 1: a, 2: b, 9: a }),
      code: 'METRICS_MISMATCH',
      says: /metrics names broker 9/,
    },
    {
      why: 'nobody listens',
      named: true,
      metrics: ([a]: [string, string]) => ({ 1: a, 2: 'http://127.0.0.1:1/metrics' }),
      code: 'METRICS_UNREACHABLE',
      says: /of broker 2 at http:\/\/127.0.0.1:1\/metrics does not answer: connection refused/,
    },
  ]) {
    it(`refuses: ${why}`, async () => {
      const { urls, bytesIn } = await twoPages(named);
      const send = async (brokerId: number) => {
        bytesIn[brokerId === 1 ? 0 : 1] += 100_000;
      };
      const found = findBrokerPages({
        brokers: BROKERS,
        metrics: metrics(urls),
        scrape,
        ...(isLoadSent ? { verifyByLoad: send } : {}),
      });
      await expect(found).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
    });
  }

  it('refuses when no page moves', async () => {
    const { urls } = await twoPages(false);
    const candidates = urls.map((url) => ({
      url,
      givenTo: null,
      resolution: resolveSeries(idlePage(5_000), url),
    }));
    const verified = verifyPagesByLoad({
      brokerIds: [1],
      candidates,
      scrape,
      send: async () => {},
      betweenLooksMs: 1,
    });
    await expect(verified).rejects.toMatchObject({
      code: 'METRICS_MISMATCH',
      message: expect.stringMatching(/bytes sent to broker 1 showed on none of its possible pages/),
    });
  });

  it('believes a map when nothing contradicts it', async () => {
    const { urls } = await twoPages(false);
    const pages = await findBrokerPages({ brokers: BROKERS, metrics: { 1: urls[0], 2: urls[1] }, scrape });
    expect(pages.map((page) => page.proof)).toEqual(['as given, unproven', 'as given, unproven']);
  });
});
