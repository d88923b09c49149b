// Kafka's own load tool and librdkafka's, each a process that sends until it is ended.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { defaultJarsDirectory } from '../../../dist/src/local-cluster/jars.js';
import { DEFAULT_KAFKA_VERSION } from '../../../dist/src/local-cluster/local-cluster.js';

const ENDLESS = '2000000000';
const KEPT_OUTPUT = 2_000;
/** How Kafka's scripts start its tools (kafka-run-class.sh, kafka-producer-perf-test.sh). */
const JAVA_OPTIONS =
  '-Xmx512M -server -XX:+UseG1GC -XX:MaxGCPauseMillis=20 -XX:InitiatingHeapOccupancyPercent=35 -XX:+ExplicitGCInvokesConcurrent -XX:MaxInlineLevel=15 -Djava.awt.headless=true';

/**
 * kafka-producer-perf-test.
 * @param settings its producer's properties. @param pooled whether messages come from a file of ready ones; by default the
 * tool makes each random message byte by byte.
 */
export function javaClient(settings, pooled = false) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-java-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return {
    name: pooled ? 'java, ready messages' : 'java',
    start: (broker, size) => {
      const payload = pooled
        ? ['--payload-file', payloadFile(folder, size)]
        : ['--record-size', String(size)];
      const properties = { 'bootstrap.servers': broker.bootstrap, ...settings };
      return startTool('java', [
        ...JAVA_OPTIONS.split(' '),
        '-cp',
        join(defaultJarsDirectory(DEFAULT_KAFKA_VERSION), 'lib', '*'),
        'org.apache.kafka.tools.ProducerPerformance',
        ...['--topic', broker.topic, '--num-records', ENDLESS, '--throughput', '-1'],
        ...payload,
        '--producer-props',
        ...Object.entries(properties).map(([name, value]) => `${name}=${value}`),
      ]);
    },
  };
}

const POOL_BYTES = 8_388_608;

/** A line for each message. */
function payloadFile(folder, size) {
  const file = join(folder, `payload-${size}`);
  const lines = Array.from({ length: Math.floor(POOL_BYTES / size) }, () => randomText(size));
  if (!existsSync(file)) writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** rdkafka_performance of librdkafka. @param settings librdkafka properties. */
export function cClient(settings) {
  let tool = null;
  return {
    name: 'c',
    start: (broker, size) => {
      tool ??= buildPerformance();
      const properties = Object.entries(settings).flatMap(([name, value]) => ['-X', `${name}=${value}`]);
      // It sends one and the same message, without copying it.
      return startTool(tool, [
        ...[
          '-P',
          '-t',
          broker.topic,
          '-b',
          broker.bootstrap,
          '-s',
          String(size),
          '-m',
          randomText(size),
          '-q',
        ],
        ...properties,
      ]);
    },
  };
}

/** Builds the tool against the very librdkafka that node-rdkafka uses. @returns its path, removed at the end. */
function buildPerformance() {
  const root = dirname(createRequire(import.meta.url).resolve('node-rdkafka/package.json'));
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-c-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const tool = join(folder, 'rdkafka_performance');
  const libraries = join(root, 'build', 'deps');
  execFileSync('cc', [
    ...['-O2', '-w', '-I', join(root, 'deps', 'librdkafka', 'src')],
    ...['-o', tool, join(root, 'deps', 'librdkafka', 'examples', 'rdkafka_performance.c')],
    ...[join(libraries, 'librdkafka.so.1'), `-Wl,-rpath,${libraries}`, '-lpthread', '-lm'],
  ]);
  return tool;
}

function randomText(bytes) {
  return randomBytes(bytes).toString('base64').slice(0, bytes).replaceAll('/', '.');
}

/** Ended with this program, whatever ends it. */
const tools = new Set();
process.once('exit', () => {
  for (const child of tools) child.kill('SIGKILL');
});

async function startTool(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  tools.add(child);
  let output = '';
  const keep = (chunk) => {
    output = (output + chunk).slice(-KEPT_OUTPUT);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let isStopped = false;
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`ended with ${signal ?? code}`));
  });
  const failure = ended.then((how) => {
    tools.delete(child);
    if (!isStopped) throw new Error(`${command} ${how}: ${output.trim()}`);
  });
  failure.catch(() => {});
  return {
    pid: child.pid,
    failure,
    stop: async () => {
      isStopped = true;
      child.kill('SIGKILL');
      await ended;
    },
  };
}
