// node test/outside/rate-accuracy.mjs [--quick]
// Does the load keep its rate? 1 to 64 producers at 10 to 10,000 messages per second each, 10 s, against a real broker: what was
// handed over must be within 0.2 % of the target wherever the CPU suffices, and never far from the schedule on the way. Then the
// broker stands still for 2 s (SIGSTOP): the schedule goes on, everything is delivered, and the pause shows in the latencies from
// the intended send time. Needs dist/ (npm run build). Prints tables and one line; exits 0 when all holds, else 1.
import { setTimeout as sleep } from 'node:timers/promises';
import { summarizeLatency } from '../../dist/boundary/latency-histogram.js';
import { startBroker } from '../bench/load/broker.mjs';
import { runLoadChild } from '../bench/load/run-load-child.mjs';

const DURATION_MS = 10_000;
const MESSAGE_BYTES = 100;
const TOLERANCE = 0.002;
/** Client and broker share the machine: a child that had less than this of the core it wanted was short of CPU. */
const MOST_WAITING = 0.3;
const LOADS = [1, 8, 64].flatMap((producers) =>
  [10, 100, 1_000, 10_000].map((unitRate) => ({ producers, unitRate })),
);
const QUICK_LOADS = LOADS.filter(({ producers, unitRate }) => producers !== 8 && unitRate !== 100);
const PAUSE_MS = 2_000;
const PAUSE_AFTER_MS = 4_000;
const CLIENT = { acks: 1, 'linger.ms': 10, 'batch.size': 131_072 };

const nameOf = ({ producers, unitRate }) => `${producers} x ${unitRate}/s`;

const loads = process.argv.includes('--quick') ? QUICK_LOADS : LOADS;
const broker = await startBroker(console.error);
process.once('SIGINT', () => broker.stop().finally(() => process.exit(1)));
let misses = [];
try {
  const steady = [];
  for (const load of loads) steady.push(await steadyRow(load));
  console.table(steady);
  const paused = [
    await pausedRow({ producers: 8, unitRate: 500 }),
    await pausedRow({ producers: 1, unitRate: 5_000 }),
  ];
  console.table(paused);
  misses = [...steady, ...paused].filter(({ holds }) => holds === 'no').map(({ load }) => load);
} finally {
  await broker.stop();
}
console.log(misses.length === 0 ? 'the rates are kept' : `RATES MISSED: ${misses.join(', ')}`);
process.exitCode = misses.length === 0 ? 0 : 1;

function wanted({ producers, unitRate }, more) {
  return {
    producers,
    messageBytes: MESSAGE_BYTES,
    schedule: [{ durationMs: DURATION_MS, unitRate }],
    client: CLIENT,
    ...more,
  };
}

async function steadyRow(load) {
  const { report } = await runLoadChild(broker, wanted(load));
  const { accepted, acked, ticks } = await report;
  const target = load.producers * load.unitRate * (DURATION_MS / 1_000);
  const last = ticks.at(-1);
  // Half a message of every producer is the schedule's own grain.
  const strayed = Math.max(...ticks.map((tick) => Math.abs(tick.accepted - tick.offered))) / target;
  const isShort = ticks.some(({ cpuWaitRatio = 0 }) => cpuWaitRatio > MOST_WAITING);
  const isKept =
    last.offered === target && Math.abs(accepted / target - 1) <= TOLERANCE && acked === accepted;
  return {
    load: nameOf(load),
    target,
    accepted,
    'off, %': (100 * (accepted / target - 1)).toFixed(3),
    'most off on the way, %': (100 * strayed).toFixed(3),
    'most late, ms': Math.max(...ticks.map(({ pacerLateMs }) => pacerLateMs)).toFixed(1),
    cores: (ticks.reduce((sum, { cpuCores }) => sum + cpuCores, 0) / ticks.length).toFixed(2),
    holds: isKept ? 'yes' : isShort ? 'short of CPU' : 'no',
  };
}

async function pausedRow(load) {
  const run = await runLoadChild(broker, wanted(load, { timedProducers: load.producers }));
  await sleep(PAUSE_AFTER_MS + run.startAtMs - Date.now());
  process.kill(broker.pid, 'SIGSTOP');
  await sleep(PAUSE_MS).finally(() => process.kill(broker.pid, 'SIGCONT'));
  // The window ends before the schedule does, as in a trial.
  await sleep(run.startAtMs + DURATION_MS - 500 - Date.now());
  const report = await run.stop({
    startAtMs: run.startAtMs + 2_000,
    endAtMs: run.startAtMs + DURATION_MS - 1_000,
  });
  const { accepted, acked, ticks, ackLatency } = report;
  const strayed = Math.max(...ticks.map((tick) => Math.abs(tick.accepted - tick.offered)));
  const unitSecond = load.producers * load.unitRate;
  const latency = ackLatency ? summarizeLatency(ackLatency.counts) : null;
  const isSeen = latency?.maxMs != null && latency.maxMs > 0.9 * PAUSE_MS && latency.maxMs < 2 * PAUSE_MS;
  const isKept = strayed < 0.1 * unitSecond && acked === accepted;
  return {
    load: `${nameOf(load)}, broker stopped for 2 s`,
    accepted,
    acked,
    'most off the schedule, ms': ((1_000 * strayed) / unitSecond).toFixed(0),
    'p50, ms': latency?.p50Ms?.toFixed(1),
    'p90, ms': latency?.p90Ms?.toFixed(0),
    'max, ms': latency?.maxMs?.toFixed(0),
    holds: isKept && isSeen ? 'yes' : 'no',
  };
}
