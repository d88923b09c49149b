// Windowed idle of every broker by every estimator, against the exact value, under a stepped load.
import { setTimeout as sleep } from 'node:timers/promises';
import { heldViewOf, viewsOf } from './estimator-views.mjs';
import { holdIdle, settleLoad } from './settle-load.mjs';
import { nextGridMs, nowMs } from './watched-cluster.mjs';

const FIRST_ROUNDS = 5;
const ROUNDS = 4;
/** Load stays so long as it is before a window: moving averages are inverted with the help of what was before. */
const LEAD_IN_MS = 8_000;
/** And after it: the last tick of a window shows 5 s later, and slow pages are looked at every 5 s. */
const LEAD_OUT_MS = 11_000;

/** A raw moving average is believed after three minutes of steady load. */
const HOLD_MS = 190_000;
const HOLD_PARTS = 6;
/** Idle of the parts of a hold may differ by so much. */
const MOST_UNSTEADY = 0.15;

/** How long `measureLevels` takes, ms. */
export function levelsTakeMs(levels, windowMs, isHeld) {
  const holdMs = isHeld ? HOLD_MS + 7_000 : 0;
  const rounds = FIRST_ROUNDS + (levels.length - 1) * ROUNDS;
  return holdMs + rounds * 4_000 + levels.length * (2_000 + LEAD_IN_MS + windowMs + LEAD_OUT_MS);
}

/**
 * @param isHeld whether the last level is held long enough for a raw moving average.
 * @returns one row per broker, level and view of its readings.
 */
export async function measureLevels(program, watched, { levels, windowMs, isHeld, onProgress }) {
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
    for (const broker of watched.brokers) {
      rows.push(...rowsOf(program, broker, level, window, viewsOf(broker.readings())));
    }
  }
  if (isHeld)
    rows.push(...(await measureHold(program, watched, { level: levels.at(-1), rates, onProgress })));
  return rows;
}

/** What a moving average tells when it is seen once, at the end of a load that was held steady for minutes. */
async function measureHold(program, watched, { level, rates, onProgress }) {
  onProgress(`holding idle ${level} for ${HOLD_MS / 1_000} s`);
  const startAtMs = nextGridMs();
  const hold = { startAtMs, endAtMs: startAtMs + HOLD_MS };
  await holdIdle(watched, rates, level, hold.endAtMs + 2_000);
  return watched.brokers.flatMap((broker) => {
    const range = broker.reference.idleRange(hold.startAtMs, hold.endAtMs, HOLD_PARTS);
    const isSteady = range !== null && range.high - range.low < MOST_UNSTEADY;
    if (!isSteady) onProgress(`${broker.name}: the load was not steady, so nothing follows from its hold`);
    const views = isSteady ? heldViewOf(broker.readings(), hold) : [];
    // Of a load that moved a little, the average may tell any of its parts.
    return rowsOf(program, broker, level, hold, views).map((row) => ({
      ...row,
      isOk: row.reading !== null && row.reading.low <= range.high && range.low <= row.reading.high,
    }));
  });
}

function rowsOf(program, broker, level, window, views) {
  const exact = broker.reference.idleBetween(window.startAtMs, window.endAtMs);
  if (exact === null)
    return [{ setUp: broker.name, level, view: 'exact value', exact, reading: null, isOk: false }];
  return views.map(({ view, readings: seen }) => {
    const reading = program.windowedIdle(seen, window);
    // Nothing to tell is an answer, unless the page itself gives none.
    const isOk =
      reading === null ? view !== 'as it is' : reading.low <= exact.high && exact.low <= reading.high;
    return { setUp: broker.name, level, view, exact, reading, isOk };
  });
}
