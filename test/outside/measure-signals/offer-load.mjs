// Child process of measure-signals.mjs: sends one-message requests to each partition at a rate of its own, which may change
// at any time. Message by IPC: { rates: [perSecond of partition 0, ...] }; Infinity is as much as goes.
import rdkafka from 'node-rdkafka';

/** A broker takes one request at a time from a connection, so one connection cannot keep a handler busy. */
const CONNECTIONS = 4;
/** Per partition and connection: more only makes the end of a step longer. */
const MOST_UNDER_WAY = 8;
const TICK_MS = 5;

const [bootstrap, topic, partitionCount] = process.argv.slice(2);
const value = Buffer.alloc(1_000, 'x');
const rates = Array(Number(partitionCount)).fill(0);
const due = rates.map(() => 0);

const producers = await Promise.all(Array.from({ length: CONNECTIONS }, connect));

function connect() {
  return new Promise((resolve, reject) => {
    const producer = new rdkafka.Producer(
      {
        'bootstrap.servers': bootstrap,
        'linger.ms': 0,
        'batch.num.messages': 1,
        'allow.auto.create.topics': false,
        dr_cb: true,
      },
      { acks: 1 },
    );
    const underWay = rates.map(() => 0);
    producer.on('delivery-report', (_, report) => {
      underWay[report.partition] -= 1;
    });
    producer.on('event.error', (error) => console.error(`load: ${error.message}`));
    producer.setPollInterval(TICK_MS);
    producer.connect({}, (error) => (error ? reject(error) : resolve({ producer, underWay })));
  });
}

/** @returns whether a connection had room. */
function sendOne(partition, turn) {
  for (let step = 0; step < CONNECTIONS; step += 1) {
    const { producer, underWay } = producers[(turn + step) % CONNECTIONS];
    if (underWay[partition] >= MOST_UNDER_WAY) continue;
    producer.produce(topic, partition, value);
    underWay[partition] += 1;
    return true;
  }
  return false;
}

let lastMs = performance.now();
let turn = 0;
setInterval(() => {
  const nowMs = performance.now();
  for (let partition = 0; partition < rates.length; partition += 1) {
    due[partition] = Math.min(due[partition] + (rates[partition] * (nowMs - lastMs)) / 1_000, 1_000);
    while (due[partition] >= 1 && sendOne(partition, turn++)) due[partition] -= 1;
    // A load below the limit catches up after a slow fsync, but not for long: it would be another load.
    due[partition] = Math.min(due[partition], 20);
  }
  lastMs = nowMs;
}, TICK_MS);

process.on('message', (message) => {
  for (const [partition, rate] of message.rates.entries()) rates[partition] = rate ?? Infinity;
});
process.on('disconnect', () => process.exit(0));
process.send('ready');
