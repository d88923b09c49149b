// How many polls it takes until the verdict's input shows a step from rest to saturation.
import { setTimeout as sleep } from 'node:timers/promises';
import { settleLoad } from './settle-load.mjs';
import { nowMs } from './watched-cluster.mjs';

const LIMIT = 0.2;
const REST_IDLE = 0.9;
const SETTLE_ROUNDS = 3;
const REST_MS = 10_000;
/** Long enough for two polls of a slow page; longer while a page takes its time. */
const SATURATED_MS = 13_000;
const MOST_SATURATED_MS = 40_000;
const POLLS = 2;

export function stepsTakeMs(steps) {
  return SETTLE_ROUNDS * 4_000 + 2_000 + steps * (REST_MS + SATURATED_MS + 1_000);
}

/** @returns one row per broker and step. */
export async function measureSteps(program, watched, { steps, onProgress }) {
  const rows = [];
  const rest = await settleLoad(watched, null, REST_IDLE, SETTLE_ROUNDS);
  for (let step = 1; step <= steps; step += 1) {
    onProgress(`step ${step} of ${steps}: rest, then as much as goes`);
    watched.setRates(rest);
    // Steps fall anywhere between two polls.
    await sleep(REST_MS + Math.random() * 1_000);
    const stepAtMs = nowMs();
    watched.setRates(watched.brokers.map(() => Infinity));
    await sleep(SATURATED_MS);
    const isSeen = ({ readings }) => readings().filter(({ atMs }) => atMs > stepAtMs).length >= POLLS;
    while (!watched.brokers.every(isSeen) && nowMs() < stepAtMs + MOST_SATURATED_MS) await sleep(200);
    rows.push(...watched.brokers.map((broker) => ({ step, ...responseOf(program, broker, stepAtMs) })));
    watched.setRates(rest);
  }
  return rows;
}

function responseOf(program, broker, stepAtMs) {
  const readings = broker.readings();
  const first = readings.findIndex(({ atMs }) => atMs > stepAtMs);
  const crossed = readings.findIndex(
    (_, index) =>
      index >= first && first > 0 && (program.recentIdle(readings.slice(0, index + 1)) ?? 1) < LIMIT,
  );
  return {
    setUp: broker.name,
    hasCount: readings.at(-1)?.idle.countNs !== null,
    intervalMs: broker.intervalMs,
    before: broker.reference.idleBetween(stepAtMs - 5_000, stepAtMs - 300)?.ratio ?? null,
    after: broker.reference.idleBetween(stepAtMs + 1_000, stepAtMs + 8_000)?.ratio ?? null,
    polls: crossed < 0 ? null : crossed - first + 1,
    afterMs: crossed < 0 ? null : readings[crossed].atMs - stepAtMs,
  };
}
