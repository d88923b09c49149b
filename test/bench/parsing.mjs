import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { growPage } from './grown-page.mjs';
import { OTHERS, PLIMSOLL } from './parsers.mjs';

const WARM_UP_ROUNDS = 5;
const ROUNDS = 25;
const SPEED_GOAL = 10;

const POOL = 'kafka_server_KafkaRequestHandlerPool';
const REPLICAS = 'kafka_server_ReplicaManager';
/** What a poll reads of a broker whose exporter has no rules, as [name, labels]. */
const WANTED = [
  ...['Count', 'MeanRate', 'OneMinuteRate', 'FiveMinuteRate', 'FifteenMinuteRate'].map((attribute) => [
    `${POOL}_${attribute}`,
    { name: 'RequestHandlerAvgIdlePercent' },
  ]),
  [`${POOL}_Count`, { name: 'BrokerRequestHandlerAvgIdlePercent' }],
  [`${POOL}_MeanRate`, { name: 'BrokerRequestHandlerAvgIdlePercent' }],
  [`${POOL}_OneMinuteRate`, { name: 'BrokerRequestHandlerAvgIdlePercent' }],
  [`${REPLICAS}_Count`, { name: 'IsrShrinksPerSec' }],
  [`${REPLICAS}_Count`, { name: 'FailedIsrUpdatesPerSec' }],
  ...['UnderReplicatedPartitions', 'UnderMinIsrPartitionCount', 'OfflineReplicaCount'].map((name) => [
    `${REPLICAS}_Value`,
    { name },
  ]),
  ...['BytesInPerSec', 'MessagesInPerSec', 'ReplicationBytesInPerSec'].map((name) => [
    'kafka_server_BrokerTopicMetrics_Count',
    { name },
  ]),
  ['kafka_network_RequestChannel_Value', { name: 'RequestQueueSize' }],
  ['kafka_network_RequestMetrics_99thPercentile', { name: 'TotalTimeMs', request: 'Produce' }],
  ['kafka_network_SocketServer_Value', { name: 'NetworkProcessorAvgIdlePercent' }],
  ['java_lang_OperatingSystem_ProcessCpuTime', {}],
  ['java_lang_GarbageCollector_CollectionTime', { name: 'G1 Young Generation' }],
].map(([name, labels]) => ({ name, labels }));
const NAMES = new Set(WANTED.map(({ name }) => name));

/**
 * Parses one large page with every parser in turn, round by round, and finds the wanted series. The time compared is
 * that of the CPU, as others may be busy on the machine, too.
 * @returns {Promise<{rows: object[], holds: boolean, summary: string}>} `holds`: all gave the same values and Plimsoll
 * is at least ten times as fast as each other.
 */
export async function runParsingBench() {
  const page = growPage();
  const parsers = [PLIMSOLL, ...OTHERS];
  const expected = await read(PLIMSOLL, page);
  assert.ok(expected.every(Number.isFinite), 'a wanted series is missing');
  const cpuTimes = parsers.map(() => []);
  const wallTimes = parsers.map(() => []);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [index, parser] of parsers.entries()) {
      const startMs = performance.now();
      const cpuStart = process.cpuUsage();
      const values = await read(parser, page);
      const { user, system } = process.cpuUsage(cpuStart);
      const wallMs = performance.now() - startMs;
      assert.deepEqual(values, expected, `${parser.name} gives other values`);
      if (round < 0) continue;
      cpuTimes[index].push((user + system) / 1000);
      wallTimes[index].push(wallMs);
    }
  }
  const medians = cpuTimes.map(median);
  const rows = [];
  for (const [index, parser] of parsers.entries()) {
    rows.push({
      parser: parser.name,
      'CPU ms, median': medians[index].toFixed(2),
      'ms, median': median(wallTimes[index]).toFixed(2),
      'ms, fastest': Math.min(...wallTimes[index]).toFixed(2),
      'MB per CPU second': (page.length / 1000 / medians[index]).toFixed(0),
      'times slower': (medians[index] / medians[0]).toFixed(1),
      ...(await measureHeap(parser, page)),
    });
  }
  const lead = Math.min(...medians.slice(1)) / medians[0];
  return {
    rows,
    holds: lead >= SPEED_GOAL,
    summary:
      `${WANTED.length} series of a page of ${(page.length / 1e6).toFixed(1)} MB in ${medians[0].toFixed(1)} ms of CPU, ` +
      `${lead.toFixed(1)} times as fast as the next parser (goal ${SPEED_GOAL})`,
  };
}

async function read(parser, page) {
  const parsed = await parser.parse(page, NAMES);
  return WANTED.map((series) => parser.find(parsed, series));
}

/** Heap that one parse takes (with garbage, as far as it is not collected meanwhile) and keeps; medians. */
async function measureHeap(parser, page) {
  const gc = collector();
  const growths = [];
  for (let round = 0; round < 5; round++) growths.push(await heapGrowth(parser, page, gc));
  const inMb = (key) => (median(growths.map((growth) => growth[key])) / 1e6).toFixed(1);
  return { 'heap taken MB': inMb('taken'), 'heap kept MB': inMb('kept') };
}

/** A function of its own, so that the result of the round before is gone when it starts. */
async function heapGrowth(parser, page, gc) {
  gc();
  const before = process.memoryUsage().heapUsed;
  const parsed = await parser.parse(page, NAMES);
  const taken = process.memoryUsage().heapUsed - before;
  gc();
  const kept = process.memoryUsage().heapUsed - before;
  assert.ok(parsed);
  return { taken, kept };
}

function collector() {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
