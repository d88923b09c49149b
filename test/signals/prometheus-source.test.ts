import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBrokerSources } from '../../src/signals/find-broker-sources.ts';
import { prometheusSource } from '../../src/signals/prometheus-source.ts';
import type { Look, LookRequest, SignalSource } from '../../src/signals/signal-source.ts';
import { PLAIN_SOURCE } from '../../src/signals/source-options.ts';
import { type PretendedPrometheus, pretendPrometheus, type StoredText } from './pretended-prometheus.ts';

const nowMs = () => performance.timeOrigin + performance.now();
const IDLE = 'kafka_server_kafkarequesthandlerpool_requesthandleravgidlepercent_count';
const TARGET = { instance: 'b1:7071', job: 'kafka' };

let api: PretendedPrometheus;
const opened: SignalSource[] = [];
beforeEach(async () => {
  api = await pretendPrometheus();
});
afterEach(async () => {
  for (const source of opened.splice(0)) source.close();
  await api.server.close();
});

function sourceAt(url = api.url, instance = TARGET.instance): SignalSource {
  const source = prometheusSource(url, [{ label: 'instance', operator: '=', value: instance }], PLAIN_SOURCE);
  opened.push(source);
  return source;
}

const look = (source: SignalSource, wanted: LookRequest['wanted'] = 'telling'): Promise<Look> =>
  source.look({ wanted, deadlineMs: 2_000, nowMs });

const outcomeOf = (looked: Look) =>
  looked.kind === 'failed'
    ? looked.reason
    : looked.snapshots.map(({ series }) =>
        series.samples.map(({ name, value }) => `${name.slice(-5)} ${value}`).join(),
      );

/** One scrape each 10 s until `lastSeconds`; the values count up. */
function scraped(name: string, labels: Record<string, string>, lastSeconds: number, count = 4): StoredText {
  const points = Array.from({ length: count }, (_, index): [number, string] => [
    lastSeconds - 10 * (count - 1 - index),
    name === 'scrape_duration_seconds' ? '0.25' : String(index + 1),
  ]);
  return { labels: { __name__: name, ...labels }, points };
}

const brokerAt = (lastSeconds: number, labels: Record<string, string> = TARGET): StoredText[] => [
  scraped(IDLE, labels, lastSeconds),
  scraped('kafka_server_replicamanager_underreplicatedpartitions', labels, lastSeconds),
  scraped('scrape_duration_seconds', labels, lastSeconds),
];

describe('prometheusSource', () => {
  it('brings the last scrapes at first, then each new one once, with its time on the run clock', async () => {
    // The server's clock is 100 s behind.
    const lastSeconds = Math.floor(Date.now() / 1_000) - 105;
    api.nowSeconds = () => Date.now() / 1_000 - 100;
    api.stored = brokerAt(lastSeconds);
    const source = sourceAt();
    const first = await look(source);
    expect(source.refreshMs).toBe(10_000);
    expect(outcomeOf(first)).toEqual(['count 2,tions 2', 'count 3,tions 3', 'count 4,tions 4']);
    const newest = first.kind === 'looked' ? first.snapshots.at(-1) : undefined;
    expect(newest?.scrapeMs).toBe(250);
    expect(Math.abs((newest?.atMs ?? 0) - ((lastSeconds + 100) * 1_000 + 125))).toBeLessThan(200);

    expect(outcomeOf(await look(source, new Set([IDLE])))).toEqual([]);
    api.stored = brokerAt(lastSeconds + 4);
    expect(outcomeOf(await look(source, new Set([IDLE])))).toEqual(['count 4']);
    // Not one of them asks the server to compute anything.
    expect(api.queries.filter((query) => /\b(rate|increase|avg|sum)\w*\(/.test(query))).toEqual([]);
  });

  it('has the time of VictoriaMetrics from its own function', async () => {
    const lastSeconds = Math.floor(Date.now() / 1_000) - 105;
    api.nowSeconds = () => Date.now() / 1_000 - 100;
    api.isVictoria = true;
    api.stored = brokerAt(lastSeconds);
    const first = await look(sourceAt());
    const newest = first.kind === 'looked' ? first.snapshots.at(-1) : undefined;
    expect(Math.abs((newest?.atMs ?? 0) - ((lastSeconds + 100) * 1_000 + 125))).toBeLessThan(200);
  });

  it('waits for a scrape that is still coming in', async () => {
    const lastSeconds = Math.floor(Date.now() / 1_000) - 1;
    const [idle, replicas, duration] = brokerAt(lastSeconds);
    if (!idle || !replicas || !duration) throw new Error('no series');
    const late = { ...replicas, points: replicas.points.slice(0, -1) };
    api.stored = [idle, late, duration];
    const source = sourceAt();
    expect(outcomeOf(await look(source))).toEqual(['count 2,tions 2', 'count 3,tions 3']);
    api.stored = [idle, replicas, duration];
    expect(outcomeOf(await look(source))).toEqual(['count 4,tions 4']);
  });

  it('knows no shorter time of a scrape than the interval when the server does not tell', async () => {
    api.stored = brokerAt(Math.floor(Date.now() / 1_000) - 1).slice(0, 2);
    const looked = await look(sourceAt());
    expect(looked.kind === 'looked' && looked.snapshots.map(({ scrapeMs }) => scrapeMs)).toEqual([
      10_000, 10_000, 10_000,
    ]);
  });

  it.each([
    {
      why: 'of the target',
      path: '/api/v1/targets/metadata',
      body: {
        status: 'success',
        data: [{ target: {}, metric: IDLE, type: 'counter', help: 'attribute=Count' }],
      },
      help: 'attribute=Count',
    },
    {
      why: 'of all targets that agree',
      path: '/api/v1/metadata',
      body: {
        status: 'success',
        data: {
          [IDLE]: [
            { type: 'counter', help: 'same' },
            { type: 'counter', help: 'same' },
          ],
        },
      },
      help: 'same',
    },
    {
      why: 'none where targets differ',
      path: '/api/v1/metadata',
      body: {
        status: 'success',
        data: {
          [IDLE]: [
            { type: 'counter', help: 'one' },
            { type: 'counter', help: 'other' },
          ],
        },
      },
      help: undefined,
    },
  ])('reads HELP and TYPE: $why', async ({ path, body, help }) => {
    api.stored = brokerAt(Math.floor(Date.now() / 1_000) - 1);
    api.answers.set(path, { status: 200, body });
    const looked = await look(sourceAt());
    const series = looked.kind === 'looked' ? looked.snapshots[0]?.series : undefined;
    expect(series?.help.get(IDLE)).toBe(help);
    expect(series?.types.get(IDLE)).toBe('counter');
    expect(series?.types.get(`${IDLE}_total`)).toBe('counter');
  });

  it.each<{ why: string; status?: number; body: unknown; reason: RegExp }>([
    {
      why: "the server's own words",
      status: 422,
      body: {
        status: 'error',
        errorType: 'execution',
        error: 'query processing would\nload too many samples',
      },
      reason: /^HTTP 422: query processing would load too many samples$/,
    },
    {
      why: 'credentials',
      status: 401,
      body: 'no',
      reason: /^HTTP 401: needs credentials that it takes \(signals\.user/,
    },
    { why: 'a gateway', status: 502, body: '<html>bad gateway</html>', reason: /^HTTP 502$/ },
    { why: 'a page in place of the API', body: 'x 1\n', reason: /^answers no JSON; is it the API/ },
    { why: 'another API', body: { hello: 1 }, reason: /^answers something else/ },
  ])('fails with $why', async ({ status = 200, body, reason }) => {
    api.answers.set('/api/v1/query', { status, body });
    expect(outcomeOf(await look(sourceAt()))).toMatch(reason);
  });

  it('says what to check when there is nothing', async () => {
    expect(outcomeOf(await look(sourceAt()))).toBe('no series for {instance="b1:7071"}: check the selector');
  });

  it('says when a target is no longer scraped', async () => {
    api.stored = brokerAt(Math.floor(Date.now() / 1_000) - 120);
    expect(outcomeOf(await look(sourceAt()))).toMatch(/^last scraped 12\d s ago; is the target down\?$/);
  });
});

describe('findBrokerSources in Prometheus', () => {
  const BROKERS = [1, 2].map((id) => ({ id, host: `b${id}`, port: 9092 }));
  const find = (
    metrics: Readonly<Record<string, string>> | readonly string[],
    selector: string | null = null,
  ) =>
    findBrokerSources({
      kind: 'prometheus',
      brokers: BROKERS,
      metrics,
      selector,
      idleSelector: null,
      options: PLAIN_SOURCE,
      deadlineMs: 2_000,
      nowMs,
    });

  /** Idle for 9 of 10 s. */
  function brokerNamed(instance: string, job = 'kafka'): StoredText[] {
    const last = Math.floor(Date.now() / 1_000) - 1;
    return brokerAt(last, { instance, job }).map((series) =>
      series.labels.__name__ === IDLE
        ? {
            ...series,
            points: series.points.map(([stamp], index) => [stamp, String(5e12 + index * 9e9)] as const),
          }
        : series,
    );
  }

  it('takes the targets with an idle meter, by host, and leaves others alone', async () => {
    const other = scraped('node_load1', { instance: 'b1:9100', job: 'node' }, Math.floor(Date.now() / 1_000));
    api.stored = [...brokerNamed('b2:7071'), ...brokerNamed('b1:7071'), other];
    const found = await find([api.url]);
    opened.push(...found.map(({ source }) => source));
    expect(found.map(({ brokerId, source, proof }) => [brokerId, source.place, proof])).toEqual([
      [1, `${api.url} {instance="b1:7071",job="kafka"}`, 'same host'],
      [2, `${api.url} {instance="b2:7071",job="kafka"}`, 'same host'],
    ]);
  });

  it('takes what a URL says of one broker, narrowed by the selector', async () => {
    api.stored = ['a', 'b', 'c'].flatMap((host) => [
      ...brokerNamed(`${host}:1`),
      ...brokerNamed(`${host}:1`, 'other'),
    ]);
    const found = await find({ 1: `${api.url}/?instance=a:1`, 2: `${api.url}/?instance=c:1` }, 'job="kafka"');
    opened.push(...found.map(({ source }) => source));
    expect(found.map(({ brokerId, source }) => [brokerId, source.place])).toEqual([
      [1, `${api.url} {instance="a:1",job="kafka"}`],
      [2, `${api.url} {instance="c:1",job="kafka"}`],
    ]);
  });

  it.each<{
    why: string;
    metrics: (url: string) => Record<string, string> | string[];
    code: string;
    says: RegExp;
  }>([
    {
      why: 'two targets for one broker',
      metrics: (url) => ({ 1: url }),
      code: 'METRICS_MISMATCH',
      says: /broker 1 are those of 3 targets \(b1:7071, b9:7071, b5:7071\); name one, as in 1=/,
    },
    {
      why: 'a broker without series',
      metrics: (url) => [url],
      code: 'METRICS_UNREACHABLE',
      says: /no series of broker 2 \(b2:9092\) in Prometheus .*; check signals.selector/,
    },
    {
      why: 'a broker that is no longer scraped, with the reason',
      metrics: (url) => [`${url}/?instance=b5:7071`],
      code: 'METRICS_UNREACHABLE',
      says: /no series of broker .* \(but: .*instance="b5:7071".*: last scraped \d+ s ago/,
    },
    {
      why: 'nothing that matches',
      metrics: (url) => [`${url}/?instance=z`],
      code: 'METRICS_UNREACHABLE',
      says: /has no idle meter of a broker for \{instance="z"\}: check the selector/,
    },
    {
      why: 'a server that is not there',
      metrics: () => ['http://127.0.0.1:1'],
      code: 'METRICS_UNREACHABLE',
      says: /Prometheus at http:\/\/127.0.0.1:1 does not answer: connection refused/,
    },
  ])('refuses: $why', async ({ metrics, code, says }) => {
    const goneSeconds = Math.floor(Date.now() / 1_000) - 100;
    const gone = brokerAt(goneSeconds, { instance: 'b5:7071', job: 'old' });
    api.stored = [...brokerNamed('b1:7071'), ...brokerNamed('b9:7071'), ...gone];
    await expect(find(metrics(api.url))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(says),
    });
  });
});
