// npm run bench:load [-- --quick] [-- --sizes 100,1000]
// What a message costs: Plimsoll's load child, Kafka's kafka-producer-perf-test (Java) and librdkafka's rdkafka_performance (C)
// send as much as they can to one real local broker, in turn, with the same settings. Prints messages acknowledged per CPU-second
// of the client (user and system, whole process tree) and one line that sums up; exits 0 when the goals hold, else 1.
import { startBroker } from './load/broker.mjs';
import { cClient, javaClient } from './load/foreign-client.mjs';
import { ratios, sizeText, summarise, summaryLine } from './load/goals.mjs';
import { measureClient } from './load/measure-client.mjs';
import { plimsollClient } from './load/plimsoll-client.mjs';

const LENGTHS = {
  full: { warmUpMs: 10_000, measuredMs: 30_000 },
  quick: { warmUpMs: 4_000, measuredMs: 6_000 },
};
const ALTERNATIONS = { full: 5, quick: 1 };
/** What a run costs beside its two times: starts, drains, ends. */
const EXTRA_MS = 3_000;
/** Shallow, as the queues of a trial are that the brokers carry: 64 batches. In a deep one messages are cold when they are sent. */
const QUEUE_KBYTES = 8_192;
const BATCH_BYTES = 131_072;
const LIBRDKAFKA = {
  acks: 1,
  'batch.size': BATCH_BYTES,
  'linger.ms': 10,
  'compression.codec': 'none',
  'max.in.flight': 5,
  'queue.buffering.max.kbytes': QUEUE_KBYTES,
  'queue.buffering.max.messages': 1_000_000,
};
const JAVA = {
  acks: 1,
  'batch.size': BATCH_BYTES,
  'linger.ms': 10,
  'compression.type': 'none',
  'max.in.flight.requests.per.connection': 5,
  'buffer.memory': QUEUE_KBYTES * 1_024,
};

const options = parse(process.argv.slice(2));
const clients = [plimsollClient(LIBRDKAFKA), javaClient(JAVA), cClient(LIBRDKAFKA), javaClient(JAVA, true)];
process.exitCode = (await run()) ? 0 : 1;

function parse(args) {
  const mode = args.includes('--quick') ? 'quick' : 'full';
  const at = args.indexOf('--sizes');
  const sizes = at < 0 ? [100, 1_000, 10_000] : (args[at + 1] ?? '').split(',').map(Number);
  if (!sizes.every((size) => [100, 1_000, 10_000].includes(size))) {
    console.error('--sizes takes some of 100,1000,10000');
    process.exit(1);
  }
  return { lengths: LENGTHS[mode], alternations: ALTERNATIONS[mode], sizes };
}

async function run() {
  const broker = await startBroker(console.error);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => broker.stop().finally(() => process.exit(1)));
  try {
    // A broker that has just started compiles its code for some seconds, which would burden the first client.
    await measureClient(clients[0], broker, options.sizes[0], options.lengths);
    const runs = await alternate(broker);
    return report(runs);
  } finally {
    await broker.stop();
  }
}

/** Sizes and clients in turn, each time begun by another client: what else the machine does meets all of them. */
async function alternate(broker) {
  const plan = Array.from({ length: options.alternations }, (_, round) =>
    options.sizes.flatMap((size) =>
      clients.map((_, index) => ({ size, client: clients[(index + round) % clients.length] })),
    ),
  ).flat();
  const eachMs = options.lengths.warmUpMs + options.lengths.measuredMs + EXTRA_MS;
  const runs = [];
  for (const { size, client } of plan) {
    const result = await measureClient(client, broker, size, options.lengths);
    runs.push(result);
    const left = Math.ceil(((plan.length - runs.length) * eachMs) / 60_000);
    const figure = `${Math.round(result.perCpuSecond / 1_000)} k messages per CPU-second`;
    console.error(
      `${runs.length}/${plan.length}  ${sizeText(size)}, ${client.name}: ${figure}; ${left} min left`,
    );
  }
  return runs;
}

function report(runs) {
  const rows = summarise(runs);
  const found = ratios(rows);
  console.log('Messages acknowledged, medians:');
  printTable(rows.map((row) => cells(row, rows)));
  const { holds, text } = summaryLine(found);
  console.log(text);
  return holds;
}

function cells(row, rows) {
  const own = rows.find(({ size, client }) => size === row.size && client === 'plimsoll');
  const kilo = (value) => `${(value / 1_000).toFixed(1)} k`;
  return {
    size: sizeText(row.size),
    client: row.client,
    'per CPU-s': kilo(row.perCpuSecond),
    'least to most': `${kilo(row.least)} to ${kilo(row.most)}`,
    'per s': kilo(row.perSecond),
    'MB/s': ((row.perSecond * row.size) / 1e6).toFixed(0),
    'Plimsoll is': row === own ? '' : `${(own.perCpuSecond / row.perCpuSecond).toFixed(2)}x`,
  };
}

function printTable(rows) {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((name) => Math.max(name.length, ...rows.map((row) => row[name].length)));
  const line = (texts) =>
    texts.map((text, at) => (at < 2 ? text.padEnd(widths[at]) : text.padStart(widths[at]))).join('  ');
  console.log(line(columns));
  for (const row of rows) console.log(line(columns.map((name) => row[name])));
  console.log();
}
