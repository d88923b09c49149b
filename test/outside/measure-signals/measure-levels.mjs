// Windowed idle of every broker by every estimator, against the exact value, under a stepped load.
import { setTimeout as sleep } from 'node:timers/promises';
import { viewsOf } from './estimator-views.mjs';
import { settleLoad } from './settle-load.mjs';
import { nextGridMs, nowMs } from './watched-cluster.mjs';

const FIRST_ROUNDS = 5;
const ROUNDS = 4;
/** Load stays so long as it is before a window: moving averages are inverted with the help of what was before. */
const LEAD_IN_MS = 8_000;
/** And after it: the last tick of a window shows 5 s later, and slow pages are looked at every 5 s. */
const LEAD_OUT_MS = 11_000;

/** How long `measureLevels` takes, ms. */
export function levelsTakeMs(levels, windowMs) {
  const rounds = FIRST_ROUNDS + (levels.length - 1) * ROUNDS;
  return rounds * 4_000 + levels.length * (2_000 + LEAD_IN_MS + windowMs + LEAD_OUT_MS);
}

/** @returns one row per broker, level and view of its readings. */
export async function measureLevels(program, watched, { levels, windowMs, onProgress }) {
  const rows = [];
  let rates = null;
  for (const level of levels) {
    onProgress(`load towards idle ${level} on ${watched.brokers.length} brokers`);
    rates = await settleLoad(watched, rates, level, rates === null ? FIRST_ROUNDS : ROUNDS);
    await sleep(LEAD_IN_MS);
    const startAtMs = nextGridMs();
    const window = { startAtMs, endAtMs: startAtMs + windowMs };
    onProgress(
      `window of ${windowMs / 1_000} s at ${Math.round(rates.reduce((sum, rate) => sum + rate))} requests/s`,
    );
    await sleep(window.endAtMs + LEAD_OUT_MS - nowMs());
    for (const broker of watched.brokers) rows.push(...rowsOf(program, broker, level, window));
  }
  return rows;
}

function rowsOf(program, broker, level, window) {
  const exact = broker.reference.idleBetween(window.startAtMs, window.endAtMs);
  const readings = broker.readings();
  if (exact === null || readings.length === 0) {
    return [{ setUp: broker.name, level, view: 'as it is', exact, reading: null, isOk: false }];
  }
  return viewsOf(readings).map(({ view, readings: seen }) => {
    const reading = program.windowedIdle(seen, window);
    // Nothing to tell is an answer, unless the page itself gives none.
    const isOk =
      reading === null ? view !== 'as it is' : reading.low <= exact.high && exact.low <= reading.high;
    return { setUp: broker.name, level, view, exact, reading, isOk };
  });
}
