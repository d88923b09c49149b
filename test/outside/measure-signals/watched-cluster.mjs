// A local cluster whose brokers each have rules of their own, polled by Plimsoll and by the reference at once.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IdleReference } from './idle-reference.mjs';

/** The broker's own meter, of Kafka 4.2 and later: the exact value. */
export const OWN_METER = { bean: 'BrokerRequestHandlerAvgIdlePercent', surplus: 0 };
/** Up to Kafka 4.1 a combined node has but the sum with the controller's threads, which have next to nothing to do. */
export const SHARED_METER = { bean: 'RequestHandlerAvgIdlePercent', surplus: 1 };
const TOPIC = 'measured';
/** Pages that cost more than this are looked at less often, so that looking is not the load. */
const CHEAP_PAGE_MS = 100;
const SLOW_INTERVAL_MS = 5_000;

/** Start of a window: the next moment at which every page is looked at, as in a trial. */
export function nextGridMs() {
  return Math.ceil((nowMs() + 200) / SLOW_INTERVAL_MS) * SLOW_INTERVAL_MS;
}

export const nowMs = () => performance.timeOrigin + performance.now();
const clock = { nowMs, errorMs: 0 };

/** @param program Plimsoll's modules, @param setUps `{ name, rulesFile }` of each broker, @param start more start options. */
export async function startWatchedCluster(
  program,
  { directory, setUps, agentJar, jolokiaJar, start = {}, meter = OWN_METER },
) {
  const cluster = await program.startLocalCluster({
    directory,
    brokers: setUps.length,
    keepRunning: false,
    exporters: setUps.map(({ rulesFile }) => ({ agentJar, rulesFile })),
    javaAgents: [`${jolokiaJar}=host=127.0.0.1,port={port},discoveryEnabled=false`],
    ...start,
  });
  const load = await startLoad(program, cluster, setUps.length);
  const brokers = await Promise.all(
    setUps.map((setUp, index) => watchBroker(program, cluster, setUp, cluster.brokers[index], meter)),
  );
  return {
    cluster,
    brokers: load.order(brokers),
    setRates: (rates) => load.child.send({ rates }),
    stop: async () => {
      load.child.disconnect();
      await Promise.all(brokers.map((broker) => broker.stop()));
      await cluster.stop();
    },
  };
}

/** One partition per broker, so that each broker's load is set by itself. Every message waits for the disk. */
async function startLoad(program, cluster, brokerCount) {
  const kafka = await program.connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 20_000);
  const config = { 'flush.messages': '1', 'retention.bytes': '50000000', 'segment.bytes': '10000000' };
  await kafka.createTopic({ name: TOPIC, partitions: brokerCount, replicationFactor: 1, config });
  let leaders = [];
  for (let look = 0; look < 50 && new Set(leaders).size < brokerCount; look += 1) {
    await sleep(200);
    const topic = (await kafka.metadata(5_000)).topics.find(({ name }) => name === TOPIC);
    leaders = (topic?.partitions ?? []).sort((a, b) => a.id - b.id).map(({ leader }) => leader);
  }
  await kafka.close();
  if (new Set(leaders).size < brokerCount) throw new Error(`partitions are not spread: leaders ${leaders}`);
  const child = fork(join(import.meta.dirname, 'offer-load.mjs'), [
    cluster.bootstrap,
    TOPIC,
    String(brokerCount),
  ]);
  await once(child, 'message');
  // Rates are by partition, so brokers are kept in the order of the partitions that they lead.
  return { child, order: (brokers) => leaders.map((id) => brokers.find((broker) => broker.brokerId === id)) };
}

async function watchBroker(program, cluster, setUp, { id, pid, agentPorts }, meter) {
  const source = program.scrapeSource(cluster.metricsUrls[id]);
  const request = { idleSelector: null, deadlineMs: 10_000, nowMs };
  // Compiles what a scrape needs: the first pages of a fresh JVM are not what they cost.
  let tookMs = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 4; look += 1) {
    const looked = await source.look({ wanted: 'telling', ...request });
    if (looked.kind === 'looked') tookMs = Math.min(tookMs, looked.tookMs);
  }
  const resolved = await program.resolveSource(source, request);
  if (resolved.kind === 'failed') throw new Error(`${setUp.name}: ${resolved.reason}`);
  const { resolution } = resolved;
  const intervalMs = tookMs > CHEAP_PAGE_MS ? SLOW_INTERVAL_MS : 1_000;
  const poller = new program.BrokerPoller({
    brokers: [{ brokerId: id, source, resolution }],
    clock,
    intervalMs,
    deadlineMs: 10_000,
  });
  const reference = new IdleReference(agentPorts[0], meter, nowMs);
  reference.start();
  poller.start(nextGridMs());
  return {
    brokerId: id,
    pid,
    name: setUp.name,
    resolution,
    intervalMs,
    reference,
    readings: () => poller.polls().filter(({ kind }) => kind === 'reading'),
    missed: () => poller.polls().filter(({ kind }) => kind === 'missed'),
    cost: () => poller.costs().get(id),
    stop: async () => {
      reference.stop();
      await poller.stop();
      source.close();
    },
  };
}
