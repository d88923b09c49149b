// Checks a found boundary with none of Plimsoll's code: rdkafka_performance offers 0.85 x and 1.2 x of it for a minute
// each, and the idle ratio comes from two raw reads of the Count on every broker's page.
//
//   plimsoll cluster up && plimsoll find --bpm 1kB && \
//   node test/outside/check-boundary.mjs .plimsoll/runs/<run>/curve.json [factor ...]
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const RUN_IN_MS = 10_000;
const LOAD_MS = 60_000;
const PRODUCERS = 50;
const IDLE_COUNT =
  /^kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidlepercent_count_total (\S+)$/m;

const root = join(import.meta.dirname, '..', '..');
const loadTool = join(root, 'node_modules/node-rdkafka/deps/librdkafka/examples/rdkafka_performance');
const [curveFile = '', ...factors] = process.argv.slice(2);
const curve = JSON.parse(readFileSync(curveFile, 'utf8'));
const { bootstrap, metrics, topic, producer } = curve.configuration;
const jars = join(root, '.cache/jars', curve.cluster.kafkaVersion, 'lib', '*');

function topicCommand(...args) {
  const command = [
    '-cp',
    jars,
    'org.apache.kafka.tools.TopicCommand',
    '--bootstrap-server',
    bootstrap.join(','),
    ...args,
  ];
  return execFileSync('java', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

async function readCounts() {
  const pages = Object.entries(metrics).map(async ([id, url]) => {
    const text = await (await fetch(url)).text();
    return [id, { atNs: process.hrtime.bigint(), idleNs: Number(IDLE_COUNT.exec(text)?.[1]) }];
  });
  return Object.fromEntries(await Promise.all(pages));
}

async function offer(name, messageBytes, messagesPerSecond) {
  const settings = { ...producer, 'sticky.partitioning.linger.ms': 2 * Number(producer['linger.ms']) };
  const properties = Object.entries(settings).flatMap(([key, value]) => ['-X', `${key}=${value}`]);
  const rate = messagesPerSecond / PRODUCERS;
  const args = [
    '-P',
    '-q',
    '-b',
    bootstrap.join(','),
    '-t',
    name,
    '-s',
    String(messageBytes),
    '-r',
    String(Math.round(rate)),
    ...properties,
  ];
  const children = Array.from({ length: PRODUCERS }, () => spawn(loadTool, args, { stdio: 'ignore' }));
  await sleep(RUN_IN_MS);
  const before = await readCounts();
  await sleep(LOAD_MS);
  const after = await readCounts();
  for (const child of children) child.kill('SIGKILL');
  const idle = Object.fromEntries(
    Object.keys(before).map((id) => {
      const elapsedNs = Number(after[id].atNs - before[id].atNs);
      return [id, ((after[id].idleNs - before[id].idleNs) / elapsedNs).toFixed(3)];
    }),
  );
  return { idle, offered: Math.round(rate) * PRODUCERS };
}

for (const point of curve.points) {
  for (const factor of factors.length > 0 ? factors.map(Number) : [0.85, 1.2]) {
    const name = `outside-${point.messageBytes}-${Date.now().toString(36)}`;
    const config = Object.entries(topic.config).flatMap(([key, value]) => ['--config', `${key}=${value}`]);
    const partitions = String(topic.partitionsPerBroker * curve.cluster.brokerIds.length);
    topicCommand(
      '--create',
      '--topic',
      name,
      '--partitions',
      partitions,
      '--replication-factor',
      '3',
      ...config,
    );
    const { idle, offered } = await offer(name, point.messageBytes, point.lower.messagesPerSecond * factor);
    topicCommand('--delete', '--topic', name);
    console.log(
      `${point.messageBytes} B  ${factor} x ${Math.round(point.lower.messagesPerSecond)}/s = ${offered}/s offered  idle`,
      idle,
    );
    await sleep(5_000);
  }
}
