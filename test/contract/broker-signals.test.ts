import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrokerPoll, BrokerReading } from '../../boundary/broker-reading.ts';
import { windowedIdle } from '../../boundary/idle/windowed-idle.ts';
import type { CheckResult } from '../../src/doctor/check-result.ts';
import { diagnose } from '../../src/doctor/diagnose.ts';
import type { DoctorTarget } from '../../src/doctor/doctor-target.ts';
import { connectKafka, type KafkaConnection } from '../../src/kafka/kafka-connection.ts';
import type { LocalCluster } from '../../src/local-cluster/local-cluster.ts';
import { startLocalCluster } from '../../src/local-cluster/start-local-cluster.ts';
import { BrokerPoller } from '../../src/signals/broker-poller.ts';
import { type BrokerSourcesRequest, findBrokerSources } from '../../src/signals/find-broker-sources.ts';
import { openSources } from '../../src/signals/open-sources.ts';
import { resolveSource } from '../../src/signals/resolve-source.ts';
import { scrapeSource } from '../../src/signals/scrape-source.ts';
import { PLAIN_SOURCE } from '../../src/signals/source-options.ts';
import { verifyByLoad } from '../../src/signals/verify-by-load.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-signals-'));
const clock = { nowMs: () => performance.timeOrigin + performance.now(), errorMs: 0 };
let cluster: LocalCluster;
let kafka: KafkaConnection;

beforeAll(async () => {
  cluster = await startLocalCluster({ directory: join(scratch, 'cluster'), brokers: 2, keepRunning: false });
  kafka = await connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 10_000);
});
afterAll(async () => {
  await kafka?.close();
  await cluster?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

function readingsOf(polls: readonly BrokerPoll[], brokerId: number): readonly BrokerReading[] {
  return polls.filter((poll) => poll.kind === 'reading').filter((poll) => poll.brokerId === brokerId);
}

const nowMs = clock.nowMs;

function request(metrics: BrokerSourcesRequest['metrics'], brokers: BrokerSourcesRequest['brokers']) {
  const kind = 'scrape' as const;
  return {
    kind,
    brokers,
    metrics,
    selector: null,
    idleSelector: null,
    options: PLAIN_SOURCE,
    deadlineMs: 5_000,
    nowMs,
  };
}

it('reads an idle broker as idle, the same by its own clock and by scrape time', async () => {
  const { brokers } = await kafka.metadata(5_000);
  const sources = await findBrokerSources(request(Object.values(cluster.metricsUrls).toReversed(), brokers));
  expect(sources.map(({ brokerId, source }) => [String(brokerId), source.place])).toEqual(
    Object.entries(cluster.metricsUrls),
  );
  // The class loading and compiling of the first seconds is not idleness.
  await sleep(3_000);
  const poller = new BrokerPoller({ brokers: sources, clock, intervalMs: 1_000, deadlineMs: 900 });
  poller.start(clock.nowMs() + 100);
  await sleep(5_600);
  await poller.stop();
  for (const { source } of sources) source.close();
  expect(poller.polls().filter((poll) => poll.kind === 'missed')).toEqual([]);
  for (const { brokerId } of sources) {
    const readings = readingsOf(poller.polls(), brokerId);
    const [first, last] = [readings[0], readings.at(-1)];
    if (!first || !last) throw new Error('no readings');
    const window = { startAtMs: first.atMs, endAtMs: last.atMs };
    const byItself = windowedIdle(readings, window);
    const byScrapeTime = windowedIdle(readings.map(withoutMeanRate), window);
    expect(byItself?.estimator).toBe('count, self-clocked');
    expect(byScrapeTime?.estimator).toBe('count over scrape time');
    expect(byItself?.ratio).toBeGreaterThan(0.92);
    // A mark is up to 300 ms late, the scrape a few ms unsure.
    expect(Math.abs((byItself?.ratio ?? 0) - (byScrapeTime?.ratio ?? 1))).toBeLessThan(0.03);
    expect(last.scrapeMs).toBeLessThan(200);
  }
});

function withoutMeanRate(reading: BrokerReading): BrokerReading {
  const { idle } = reading;
  return idle.kind === 'cores' ? reading : { ...reading, idle: { ...idle, meanRate: null } };
}

it('tells by load whose page is whose', async () => {
  await kafka.createTopic({ name: 'plimsoll-signals', partitions: 4, replicationFactor: 1, config: {} });
  await sleep(1_000);
  const { topics, brokers } = await kafka.metadata(5_000);
  const topic = topics.find(({ name }) => name === 'plimsoll-signals');
  const { opened } = await openSources(request(Object.values(cluster.metricsUrls), brokers));
  const candidates = await Promise.all(
    opened.map(async (place) => {
      const resolved = await resolveSource(place.source, { idleSelector: null, deadlineMs: 5_000, nowMs });
      if (resolved.kind === 'failed') throw new Error(resolved.reason);
      return { ...place, resolution: resolved.resolution };
    }),
  );
  const send = async (brokerId: number) => {
    const led = topic?.partitions.filter(({ leader }) => leader === brokerId).map(({ id }) => id) ?? [];
    await kafka.sendBurst('plimsoll-signals', led, 100_000);
  };
  const found = await verifyByLoad({ brokerIds: [2, 1], candidates, send, deadlineMs: 5_000, nowMs });
  expect(found.map(({ brokerId, source }) => [String(brokerId), source.place])).toEqual(
    Object.entries(cluster.metricsUrls).toReversed(),
  );
  for (const { source } of opened) source.close();
  await kafka.deleteTopic('plimsoll-signals');
});

describe('the doctor', () => {
  const target = (): DoctorTarget => ({
    nodeVersion: process.versions.node,
    client: { 'bootstrap.servers': cluster.bootstrap },
    metrics: cluster.metricsUrls,
    signals: { source: 'scrape', selector: null, idle: null, options: PLAIN_SOURCE },
    redisUrl: null,
    namespace: 'plimsoll-doctor-test',
    home: scratch,
    localClusterDirectory: cluster.directory,
    byteBudget: 1_000_000,
    timeoutMs: 5_000,
  });
  async function checksOf(changes: Partial<DoctorTarget>): Promise<readonly CheckResult[]> {
    const results: CheckResult[] = [];
    for await (const result of diagnose({ ...target(), ...changes })) results.push(result);
    return results;
  }

  it('finds a healthy cluster healthy and leaves nothing behind', async () => {
    const results = await checksOf({});
    expect(results.filter(({ status }) => status === 'fail')).toEqual([]);
    for (const name of ['Node', 'brokers', 'controller', 'replicas', 'Redis', 'disk of the brokers']) {
      expect(results.find((result) => result.name === name)?.status, name).toBe('ok');
    }
    expect(results.find(({ name }) => name === 'pages of brokers')?.detail).toContain(
      '1: the page names the broker',
    );
    const { topics } = await kafka.metadata(5_000);
    expect(topics.filter(({ name }) => name.startsWith('plimsoll-doctor'))).toEqual([]);
  });

  it('explains one page alone', async () => {
    const [url = ''] = Object.values(cluster.metricsUrls);
    const results = await checksOf({ client: null, metrics: [url] });
    expect(results.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(results.find(({ name }) => name === 'request-handler idle (broker)')?.detail).toMatch(
      /brokerrequesthandleravgidlepercent_count_total = \d+ \(Count by its HELP\)/,
    );
  });

  it('says what is wrong and what to do', async () => {
    const [first = '', second = ''] = Object.values(cluster.metricsUrls);
    const failed = (results: readonly CheckResult[]) =>
      results.filter(({ status }) => status === 'fail').map(({ name, fix }) => [name, fix !== null]);
    expect(failed(await checksOf({ metrics: { 1: second, 2: first } }))).toEqual([
      ['pages of brokers', true],
    ]);
    expect(failed(await checksOf({ metrics: { 1: first, 2: 'http://127.0.0.1:1/metrics' } }))).toEqual([
      ['page 127.0.0.1:1', true],
      ['pages of brokers', true],
    ]);
    expect(
      failed(await checksOf({ client: { 'bootstrap.servers': '127.0.0.1:1' }, timeoutMs: 1_000 })),
    ).toEqual([['brokers', true]]);
    expect(failed(await checksOf({ redisUrl: 'redis://127.0.0.1:1', byteBudget: 1e18 }))).toEqual([
      ['Redis', true],
      ['disk of the brokers', true],
    ]);
  });
});

it('keeps a killed broker as missed polls with the reason', async () => {
  const victim = cluster.brokers.find(({ id }) => id === 2);
  const url = cluster.metricsUrls[2];
  if (victim === undefined || url === undefined) throw new Error('no broker 2');
  const source = scrapeSource(url);
  const poller = new BrokerPoller({
    brokers: [{ brokerId: 2, source, resolution: null }],
    clock,
    intervalMs: 500,
    deadlineMs: 400,
  });
  poller.start(clock.nowMs());
  await sleep(1_200);
  process.kill(victim.pid, 'SIGKILL');
  await sleep(1_300);
  await poller.stop();
  source.close();
  const polls = poller.polls();
  expect(readingsOf(polls, 2).length).toBeGreaterThanOrEqual(2);
  expect(polls.at(-1)).toMatchObject({ kind: 'missed', brokerId: 2, reason: 'connection refused' });
});
