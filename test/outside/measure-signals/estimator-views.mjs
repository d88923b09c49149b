// One broker's readings as poorer pages would have shown them, so that every estimator gets its turn against the same truth.

const RATES = ['oneMinuteRate', 'fiveMinuteRate', 'fifteenMinuteRate'];
const ATTRIBUTES = ['countNs', 'meanRate', ...RATES];
/** As a Prometheus server often scrapes. */
const SPARSE_MS = 15_000;

/** @returns {{ view: string, readings: object[] }[]} what the page allows, the page itself first. */
export function viewsOf(readings) {
  if (readings.length === 0) return [{ view: 'as it is', readings }];
  const { idle } = readings.at(-1);
  const has = (attribute) => idle[attribute] !== null;
  const views = [{ view: 'as it is', readings }];
  const add = (view, kept, wanted = readings) => {
    if (kept.every(has)) views.push({ view, readings: wanted.map((reading) => only(reading, kept)) });
  };
  if (has('meanRate')) add('Count alone', ['countNs']);
  add('Count alone, every 15 s', ['countNs'], thinned(readings));
  if (idle.processAgeMs !== null) add('MeanRate alone', ['meanRate']);
  for (const rate of RATES) {
    add(`${rate} alone`, [rate]);
    add(`${rate} alone, every 15 s`, [rate], thinned(readings));
  }
  return views;
}

/** A moving average seen once, at the end of a long hold. */
export function heldViewOf(readings, window) {
  const last = readings.findLast(({ atMs }) => atMs <= window.endAtMs + 1_000);
  if (!last || last.idle.oneMinuteRate === null) return [];
  return [{ view: 'oneMinuteRate alone, one look after a hold', readings: [only(last, ['oneMinuteRate'])] }];
}

function only(reading, kept) {
  const idle = { ...reading.idle };
  for (const attribute of ATTRIBUTES) if (!kept.includes(attribute)) idle[attribute] = null;
  return { ...reading, idle };
}

function thinned(readings) {
  let nextMs = readings[0].atMs;
  return readings.filter(({ atMs }) => {
    if (atMs < nextMs - 500) return false;
    while (nextMs - 500 <= atMs) nextMs += SPARSE_MS;
    return true;
  });
}
