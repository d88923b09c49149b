import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrokerReading } from '../../../boundary/broker-reading.ts';
import { windowedIdle } from '../../../boundary/idle/windowed-idle.ts';
import { connectKafka, type KafkaConnection } from '../../../src/kafka/kafka-connection.ts';
import { ensureAgentJars } from '../../../src/local-cluster/agent-jars.ts';
import type { LocalCluster } from '../../../src/local-cluster/local-cluster.ts';
import { startLocalCluster } from '../../../src/local-cluster/start-local-cluster.ts';
import { waitUntil } from '../../../src/process/wait-until.ts';
import { readValues } from '../../../src/signals/broker-reading.ts';
import { findBrokerSources } from '../../../src/signals/find-broker-sources.ts';
import { jolokiaSource } from '../../../src/signals/jolokia-source.ts';
import { prometheusSource } from '../../../src/signals/prometheus-source.ts';
import { resolveSource } from '../../../src/signals/resolve-source.ts';
import { scrapeSource } from '../../../src/signals/scrape-source.ts';
import type { SignalSource, SourceKind } from '../../../src/signals/signal-source.ts';
import { PLAIN_SOURCE } from '../../../src/signals/source-options.ts';
import { type PrometheusServer, startPrometheus } from './prometheus-server.ts';
import { nowMs, type SourceScene, testSignalSource } from './signal-source.ts';

const WINDOW_MS = 30_000;
const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-sources-'));
let cluster: LocalCluster;
let prometheus: PrometheusServer;
let kafka: KafkaConnection;

beforeAll(async () => {
  const { jolokia } = await ensureAgentJars();
  cluster = await startLocalCluster({
    directory: join(scratch, 'cluster'),
    brokers: 2,
    keepRunning: false,
    javaAgents: [`${jolokia}=port={port},host=127.0.0.1,discoveryEnabled=false`],
  });
  prometheus = await startPrometheus([
    { name: 'kafka', intervalSeconds: 1, targets: cluster.brokers.map(pageOf) },
    { name: 'dead', intervalSeconds: 1, targets: ['127.0.0.1:1'] },
  ]);
  kafka = await connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 10_000);
  expect(await waitUntil(isScraped, 60_000, 500)).toBe(true);
});
afterAll(async () => {
  await kafka?.close();
  await prometheus?.stop();
  await cluster?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** Prometheus starts each target at a time of its own. */
async function isScraped(): Promise<boolean> {
  const looks = await Promise.all(
    cluster.brokers.map(async (broker) => {
      const source = instanceSource(prometheus.url, pageOf(broker));
      const look = await source.look({ wanted: 'telling', deadlineMs: 5_000, nowMs });
      source.close();
      return look.kind === 'looked' && look.snapshots.length > 2;
    }),
  );
  return looks.every(Boolean);
}

type Broker = LocalCluster['brokers'][number];
const pageOf = ({ metricsPort }: Broker) => `127.0.0.1:${metricsPort}`;
const agentOf = ({ agentPorts }: Broker) => `http://127.0.0.1:${agentPorts[0]}/jolokia`;

function brokerOf(id: number): Broker {
  const broker = cluster.brokers.find((one) => one.id === id);
  if (broker === undefined) throw new Error(`no broker ${id}`);
  return broker;
}

function instanceSource(url: string, instance: string): SignalSource {
  return prometheusSource(url, [{ label: 'instance', operator: '=', value: instance }], PLAIN_SOURCE);
}

const SCENES: Readonly<Record<SourceKind, SourceScene>> = {
  scrape: {
    open: (brokerId) => scrapeSource(`http://${pageOf(brokerOf(brokerId))}/metrics`),
    openDead: () => scrapeSource('http://127.0.0.1:1/metrics'),
    port: () => brokerOf(1).metricsPort,
    openAt: (origin) => scrapeSource(`${origin}/metrics`),
  },
  prometheus: {
    open: (brokerId) => instanceSource(prometheus.url, pageOf(brokerOf(brokerId))),
    openDead: () => instanceSource(prometheus.url, 'nowhere:7071'),
    port: () => Number(new URL(prometheus.url).port),
    openAt: (origin) => instanceSource(`${origin}/prometheus`, pageOf(brokerOf(1))),
  },
  jolokia: {
    open: (brokerId) => jolokiaSource(agentOf(brokerOf(brokerId))),
    openDead: () => jolokiaSource('http://127.0.0.1:1/jolokia'),
    port: () => brokerOf(1).agentPorts[0] ?? 0,
    openAt: (origin) => jolokiaSource(`${origin}/jolokia`),
  },
};

testSignalSource('scrape', () => SCENES.scrape);
testSignalSource('prometheus', () => SCENES.prometheus);
testSignalSource('jolokia', () => SCENES.jolokia);

describe('all sources', () => {
  it.each([
    // Without requests a handler marks its idle time every 300 ms, so each edge of 30 s may have one more or less.
    { why: 'at rest', isLoaded: false, tolerance: 0.02 },
    { why: 'under a little load', isLoaded: true, tolerance: 0.01 },
  ])('tell the same idle of a broker $why', async ({ isLoaded, tolerance }) => {
    const end = isLoaded ? await startLoad() : async () => {};
    try {
      const kinds = ['scrape', 'prometheus', 'jolokia'] as const;
      // Looked at when Prometheus does, all speak of the same window.
      const phaseMs = await phaseOf(SCENES.prometheus.open(1));
      const startAtMs = Math.ceil(nowMs() / 1_000 + 3) * 1_000 + phaseMs;
      const window = { startAtMs, endAtMs: startAtMs + WINDOW_MS };
      const [scrape, prom, jolokia] = await Promise.all(
        kinds.map(async (kind) =>
          windowedIdle(await readingsOf(SCENES[kind].open(1), window.endAtMs, phaseMs), window),
        ),
      );
      const told = JSON.stringify({ scrape, prom, jolokia });
      if (!scrape || !prom || !jolokia) throw new Error(told);
      expect(Math.abs(scrape.ratio - prom.ratio), told).toBeLessThan(tolerance);
      expect(Math.abs(scrape.ratio - jolokia.ratio), told).toBeLessThan(tolerance);
      expect(scrape.ratio).toBeGreaterThan(0.3);
    } finally {
      await end();
    }
  });

  it.each(['scrape', 'prometheus', 'jolokia'] as const)('are matched to the brokers: %s', async (kind) => {
    const sources = await findBrokerSources({
      kind,
      brokers: (await kafka.metadata(5_000)).brokers,
      metrics: {
        scrape: Object.values(cluster.metricsUrls).toReversed(),
        prometheus: [prometheus.url],
        jolokia: cluster.brokers.map(agentOf).toReversed(),
      }[kind],
      selector: null,
      idleSelector: null,
      options: PLAIN_SOURCE,
      deadlineMs: 5_000,
      nowMs,
    });
    for (const { source } of sources) source.close();
    expect(sources.map(({ brokerId, proof }) => [brokerId, proof])).toEqual([
      [1, 'the page names the broker'],
      [2, 'the page names the broker'],
    ]);
  });
});

/** When within each second the broker is scraped, ms. */
async function phaseOf(source: SignalSource): Promise<number> {
  const look = await source.look({ wanted: 'telling', deadlineMs: 5_000, nowMs });
  source.close();
  if (look.kind === 'failed') throw new Error(look.reason);
  return (look.snapshots.at(-1)?.atMs ?? 0) % 1_000;
}

/** Looks once a second until the window is over and what lies behind it has come in. */
async function readingsOf(
  source: SignalSource,
  endAtMs: number,
  phaseMs: number,
): Promise<readonly BrokerReading[]> {
  try {
    const resolved = await resolveSource(source, { idleSelector: null, deadlineMs: 5_000, nowMs });
    if (resolved.kind === 'failed') throw new Error(resolved.reason);
    const { resolution } = resolved;
    const readings: BrokerReading[] = [];
    while (nowMs() < endAtMs + 3_000) {
      const look = await source.look({ wanted: resolution.wantedNames, deadlineMs: 5_000, nowMs });
      if (look.kind === 'failed') throw new Error(look.reason);
      for (const snapshot of look.snapshots) {
        const read = readValues(resolution, snapshot);
        if (read.kind === 'failed') throw new Error(read.reason);
        const { atMs, scrapeMs } = snapshot;
        readings.push({ kind: 'reading', brokerId: 1, atMs, scrapeMs, ...read.values });
      }
      await sleep(1_000 - ((nowMs() - phaseMs) % 1_000));
    }
    return readings;
  } finally {
    source.close();
  }
}

/** Sends some bytes to broker 1 again and again. @returns what ends it. */
async function startLoad(): Promise<() => Promise<void>> {
  const name = 'plimsoll-sources';
  await kafka.createTopic({ name, partitions: 4, replicationFactor: 1, config: { 'flush.messages': '1' } });
  await sleep(1_000);
  const topic = (await kafka.metadata(5_000)).topics.find((one) => one.name === name);
  const led = topic?.partitions.filter(({ leader }) => leader === 1).map(({ id }) => id) ?? [];
  let isOver = false;
  const sending = (async () => {
    while (!isOver) {
      await kafka.sendBurst(name, led, 20_000);
      await sleep(20);
    }
  })();
  return async () => {
    isOver = true;
    await sending;
    await kafka.deleteTopic(name);
  };
}
