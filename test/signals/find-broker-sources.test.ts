import { afterEach, describe, expect, it } from 'vitest';
import type { BrokerSource } from '../../src/signals/broker-source.ts';
import { type BrokerSourcesRequest, findBrokerSources } from '../../src/signals/find-broker-sources.ts';
import { resolveSource } from '../../src/signals/resolve-source.ts';
import { scrapeSource } from '../../src/signals/scrape-source.ts';
import { PLAIN_SOURCE } from '../../src/signals/source-options.ts';
import { verifyByLoad } from '../../src/signals/verify-by-load.ts';
import { idlePage, type MetricsServer, sendText, startMetricsServer } from './metrics-server.ts';

const BROKERS = [1, 2].map((id) => ({ id, host: 'localhost', port: 9090 + id }));
const nowMs = () => performance.timeOrigin + performance.now();
const deadlineMs = 2_000;
let servers: MetricsServer[] = [];
let found: readonly BrokerSource[] = [];
afterEach(async () => {
  for (const { source } of found) source.close();
  found = [];
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

/** Pages of brokers 1 and 2; `bytesIn` can be moved by the test. Each started when the test did. */
async function twoPages(named: boolean): Promise<{ urls: [string, string]; bytesIn: [number, number] }> {
  const bytesIn: [number, number] = [1_000, 1_000];
  const startMs = nowMs() - 60_000;
  const start = (index: 0 | 1) =>
    startMetricsServer((_, response) =>
      sendText(
        response,
        idlePage(nowMs() - startMs, {
          bytesIn: bytesIn[index],
          idleRatio: 0.9,
          ...(named ? { id: index + 1 } : {}),
        }),
      ),
    );
  const started: [MetricsServer, MetricsServer] = [await start(0), await start(1)];
  servers.push(...started);
  return { urls: [started[0].url, started[1].url], bytesIn };
}

async function find(request: Partial<BrokerSourcesRequest>): Promise<readonly unknown[]> {
  found = await findBrokerSources({
    kind: 'scrape',
    brokers: BROKERS,
    metrics: {},
    selector: null,
    idleSelector: null,
    options: PLAIN_SOURCE,
    deadlineMs,
    nowMs,
    ...request,
  });
  return found.map(({ brokerId, source, proof }) => [brokerId, source.place, proof]);
}

describe('findBrokerSources', () => {
  it('matches a list by the names on the pages', async () => {
    const { urls } = await twoPages(true);
    expect(await find({ metrics: urls.toReversed() })).toEqual([
      [1, urls[0], 'the page names the broker'],
      [2, urls[1], 'the page names the broker'],
    ]);
  });

  it('matches pages without names by the load that moves', async () => {
    const { urls, bytesIn } = await twoPages(false);
    const sources = await find({
      metrics: urls.toReversed(),
      sendToBroker: async (brokerId) => {
        bytesIn[brokerId === 1 ? 0 : 1] += 100_000;
      },
    });
    expect(sources).toEqual([
      [1, urls[0], 'moved with load'],
      [2, urls[1], 'moved with load'],
    ]);
  });

  it('believes a map when nothing contradicts it', async () => {
    const { urls } = await twoPages(false);
    expect(await find({ metrics: { 1: urls[0], 2: urls[1] } })).toEqual([
      [1, urls[0], 'as given, unproven'],
      [2, urls[1], 'as given, unproven'],
    ]);
  });

  it('hands over sources that can still be looked at, and closes those that it does not', async () => {
    const { urls } = await twoPages(true);
    // The same page twice, by two of its names.
    const twice = urls[0].replace('127.0.0.1', 'localhost');
    await expect(find({ metrics: [...urls, twice] })).rejects.toMatchObject({ code: 'METRICS_MISMATCH' });
    await find({ metrics: urls });
    for (const { source, resolution } of found) {
      const look = await source.look({ wanted: resolution.wantedNames, deadlineMs, nowMs });
      expect(look.kind).toBe('looked');
    }
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
      says: /no metrics page for broker 2 \(localhost:9092\); give its URL/,
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
      const sendToBroker = async (brokerId: number) => {
        bytesIn[brokerId === 1 ? 0 : 1] += 100_000;
      };
      const finding = find({ metrics: metrics(urls), ...(isLoadSent ? { sendToBroker } : {}) });
      await expect(finding).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
    });
  }

  it('refuses a page whose idle does not grow like one', async () => {
    let count = 5e12;
    const server = await startMetricsServer((_, response) => {
      count += 1e11;
      sendText(response, idlePage(0, { id: 1 }).replace(/count_total 0/, `count_total ${count}`));
    });
    servers.push(server);
    await expect(find({ brokers: BROKERS.slice(0, 1), metrics: [server.url] })).rejects.toMatchObject({
      code: 'METRIC_MISSING',
      message: expect.stringContaining(server.url),
    });
  });
});

describe('verifyByLoad', () => {
  /** Without names, one candidate for each URL. */
  async function candidatesOf(urls: readonly string[], givenTo: number | null = null) {
    return Promise.all(
      urls.map(async (url) => {
        const source = scrapeSource(url);
        const resolved = await resolveSource(source, { idleSelector: null, deadlineMs, nowMs });
        if (resolved.kind === 'failed') throw new Error(resolved.reason);
        return { source, givenTo, host: 'localhost', resolution: resolved.resolution };
      }),
    );
  }

  it('refuses when no page moves', async () => {
    const { urls } = await twoPages(false);
    const candidates = await candidatesOf(urls);
    const verified = verifyByLoad({
      brokerIds: [1],
      candidates,
      send: async () => {},
      deadlineMs,
      nowMs,
      patienceMs: 50,
    });
    await expect(verified).rejects.toMatchObject({
      code: 'METRICS_MISMATCH',
      message: expect.stringMatching(/bytes sent to broker 1 showed on none of its possible pages/),
    });
  });

  it('leaves out what cannot tell when there are enough that can', async () => {
    const { urls, bytesIn } = await twoPages(false);
    const startMs = nowMs() - 60_000;
    const stranger = await startMetricsServer((_, response) =>
      sendText(response, idlePage(nowMs() - startMs, { idleRatio: 0.9 }).replace(/.*bytesin_total.*\n/, '')),
    );
    servers.push(stranger);
    const verified = await verifyByLoad({
      brokerIds: [2],
      candidates: await candidatesOf([stranger.url, ...urls]),
      send: async () => {
        bytesIn[1] += 100_000;
      },
      deadlineMs,
      nowMs,
    });
    expect(verified.map(({ brokerId, source }) => [brokerId, source.place])).toEqual([[2, urls[1]]]);
  });

  it('believes what is given where there is no count of bytes-in, and refuses what is not', async () => {
    const startMs = nowMs() - 60_000;
    const server = await startMetricsServer((_, response) => {
      const page = idlePage(nowMs() - startMs, { idleRatio: 0.9 });
      sendText(response, page.replace(/.*bytesin_total.*\n/, ''));
    });
    servers.push(server);
    const check = { brokerIds: [1], send: async () => {}, deadlineMs, nowMs };
    const given = await verifyByLoad({ ...check, candidates: await candidatesOf([server.url], 1) });
    expect(given.map(({ brokerId, proof }) => [brokerId, proof])).toEqual([[1, 'as given, unproven']]);
    await expect(
      verifyByLoad({ ...check, candidates: await candidatesOf([server.url]) }),
    ).rejects.toMatchObject({ code: 'METRIC_MISSING', message: expect.stringContaining('bytes-in') });
  });
});
