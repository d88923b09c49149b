// Finds the rate of each broker at which it is idle for the wanted share of the time, and holds it there.
import { setTimeout as sleep } from 'node:timers/promises';

const ROUND_MS = 4_000;
const FIRST_RATE = 50;

/**
 * @param watched cluster, @param rates of the last level or null, @param idleRatio wanted.
 * @returns the rates, which stay set.
 */
export async function settleLoad(watched, rates, idleRatio, rounds) {
  let current = rates ?? watched.brokers.map(() => FIRST_RATE);
  watched.setRates(current);
  for (let round = 0; round < rounds; round += 1) {
    await sleep(ROUND_MS);
    current = watched.brokers.map(({ reference }, index) =>
      nextRate(current[index], reference.recentIdle(ROUND_MS - 1_500), idleRatio),
    );
    watched.setRates(current);
  }
  await sleep(ROUND_MS / 2);
  return current;
}

/** Handlers are busy in proportion to the requests, as long as some idle is left. */
function nextRate(rate, idle, wanted) {
  if (idle === null) return rate;
  const factor = (1 - wanted) / Math.max(0.02, 1 - idle);
  return Math.max(1, rate * Math.min(2.5, Math.max(0.4, factor)));
}

/** Keeps every broker at the wanted idle until then: a disk is faster at one moment than at the next. */
export async function holdIdle(watched, rates, idleRatio, untilMs) {
  let current = rates;
  while (performance.timeOrigin + performance.now() < untilMs) {
    await sleep(Math.min(ROUND_MS, Math.max(0, untilMs - performance.timeOrigin - performance.now())));
    current = watched.brokers.map(({ reference }, index) => {
      const next = nextRate(current[index], reference.recentIdle(ROUND_MS - 500), idleRatio);
      // Half of the way, as what was seen is half chance.
      return Math.sqrt(current[index] * next);
    });
    watched.setRates(current);
  }
}
