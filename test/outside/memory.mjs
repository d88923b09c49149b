// Samples the resident memory of a load child with 64 producers for ten minutes against a real broker, through the real
// worker and queue: flat after the first minute, and all of it given back with the process.
//
//   npm run build && node test/outside/memory.mjs [minutes]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const { connectKafka } = await import('../../dist/src/kafka/kafka-connection.js');
const { createLoadTopic } = await import('../../dist/src/kafka/load-topic.js');
const { startLocalCluster } = await import('../../dist/src/local-cluster/start-local-cluster.js');
const { connectQueue } = await import('../../dist/src/queue/load-queue.js');
const { startLocalWorker } = await import('../../dist/src/queue/local-worker.js');
const { startPrivateRedis } = await import('../../dist/src/redis/private-redis.js');
const { PLAIN_MESSAGES } = await import('../../dist/boundary/payload/message-recipe.js');

const MINUTES = Number(process.argv[2] ?? 10);
const PRODUCERS = 64;
const RATE = 50;
const SAMPLE_MS = 5_000;
const FIRST_MS = 60_000;
/** Growth over all the time after the first minute that counts as flat. */
const FLAT_SHARE = 0.05;

function residentMb(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_000;
}

function loadChildren(workerPid) {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === workerPid && args.join(' ').includes('load-child'))
    .map(([pid]) => Number(pid));
}

function isThere(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Megabytes per minute, by least squares. */
function slopeOf(samples) {
  const atMean = mean(samples.map(({ minute }) => minute));
  const mbMean = mean(samples.map(({ mb }) => mb));
  const over = samples.reduce((sum, { minute }) => sum + (minute - atMean) ** 2, 0);
  return samples.reduce((sum, { minute, mb }) => sum + (minute - atMean) * (mb - mbMean), 0) / over;
}

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-memory-'));
const closing = [];
let isFlat = false;
try {
  const cluster = await startLocalCluster({
    directory: join(folder, 'cluster'),
    brokers: 1,
    keepRunning: false,
  });
  closing.push(() => cluster.stop());
  const kafka = await connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 10_000);
  closing.push(() => kafka.close());
  const topic = await createLoadTopic(kafka, {
    name: 'plimsoll-memory',
    brokerIds: [1],
    partitionsPerBroker: 10,
    replicationFactor: 1,
    config: { 'retention.bytes': '20000000', 'segment.bytes': '10000000' },
  });
  const redis = await startPrivateRedis({ directory: join(folder, 'redis') });
  closing.push(() => redis.stop());
  const queue = await connectQueue(redis.url, { namespace: 'memory' });
  closing.push(() => queue.close());
  const worker = await startLocalWorker({ redisUrl: redis.url, namespace: 'memory', concurrency: 1 });
  closing.push(() => worker.stop());

  const [{ workerId, pid: workerPid }] = await queue.workers();
  const trial = await queue.dispatch([
    {
      kind: 'produce',
      runId: 'memory',
      epoch: 1,
      workerId,
      shard: 0,
      producers: PRODUCERS,
      firstProducer: 0,
      producersOfTrial: PRODUCERS,
      timedProducers: 4,
      schedule: [{ durationMs: MINUTES * 60_000, unitRate: RATE }],
      messageBytes: 1_000,
      messages: PLAIN_MESSAGES,
      topic: topic.name,
      partitions: topic.partitions,
      client: { 'bootstrap.servers': cluster.bootstrap, 'linger.ms': 10, 'batch.size': 131_072, acks: 1 },
      startTimeoutMs: 30_000,
      drainTimeoutMs: 10_000,
      seed: 1,
    },
  ]);
  const ready = await trial.whenReady(30_000);
  if (ready !== 'ready') throw new Error(JSON.stringify(ready));
  const children = loadChildren(workerPid);
  const child = children.reduce((most, pid) => (residentMb(pid) > residentMb(most) ? pid : most));
  await trial.start(queue.clock().nowMs() + 500);

  const startedMs = performance.now();
  const samples = [];
  console.log(`${PRODUCERS} producers x ${RATE}/s of 1 kB for ${MINUTES} minutes, process ${child}`);
  while (performance.now() - startedMs < MINUTES * 60_000 - SAMPLE_MS) {
    await sleep(SAMPLE_MS);
    const minute = (performance.now() - startedMs) / 60_000;
    samples.push({ minute, mb: residentMb(child) });
    if (samples.length % 12 === 0)
      console.log(`${minute.toFixed(1)} min  ${samples.at(-1).mb.toFixed(1)} MB`);
  }
  const [outcome] = await trial.outcomes(60_000);
  if (outcome.kind !== 'report') throw new Error(JSON.stringify(outcome));
  await sleep(1_000);
  const { accepted, acked } = outcome.report;
  const later = samples.filter(({ minute }) => minute * 60_000 >= FIRST_MS);
  const slope = slopeOf(later);
  const grown = slope * (later.at(-1).minute - later[0].minute);
  const level = mean(later.map(({ mb }) => mb));
  isFlat = Math.abs(grown) <= FLAT_SHARE * level && acked === accepted && !isThere(child);
  const change = `${slope.toFixed(2)} MB/min, ${grown.toFixed(1)} MB in all`;
  console.log(
    `${isFlat ? 'flat' : 'NOT FLAT'}: ${level.toFixed(0)} MB after the first minute, ${change}; ` +
      `at most ${Math.max(...outcome.report.ticks.map(({ queued }) => queued))} messages queued, ` +
      `${acked} of ${accepted} acknowledged; the process is ${isThere(child) ? 'STILL THERE' : 'gone'}`,
  );
} finally {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(isFlat ? 0 : 1);
