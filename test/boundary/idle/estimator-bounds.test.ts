import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BrokerReading, HandlerIdle } from '../../../boundary/broker-reading.ts';
import { windowedIdle } from '../../../boundary/idle/windowed-idle.ts';
import { seededRandom } from '../../../boundary/random.ts';
import { SimulatedBroker, SLOT_MS } from '../simulated-broker.ts';

/** The window begins when the broker is this old. */
const START_MS = 240_000;
const AFTERWARDS_MS = 120_000;

const SCENES = fc.record({
  seed: fc.integer({ min: 1, max: 1e9 }),
  /** Idle before the load, and levels that it steps through during the window. */
  rest: fc.double({ min: 0.5, max: 1, noNaN: true }),
  levels: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 }),
  noise: fc.double({ min: 0, max: 1, noNaN: true }),
  meterStartMs: fc.integer({ min: 0, max: 29_999 }),
  tickJitterMs: fc.integer({ min: 0, max: 100 }),
  waitMs: fc.integer({ min: 1, max: 300 }),
  windowMs: fc.constantFrom(10_000, 15_000, 30_000, 60_000, 90_000),
  pollMs: fc.constantFrom(1_000, 2_000, 5_000, 15_000, 30_000),
  offsetMs: fc.integer({ min: 0, max: 4_999 }),
  jitterMs: fc.constantFrom(0, 50, 300),
  scrapeMs: fc.constantFrom(5, 20, 60, 700),
  /** How long before and after the window there are polls, ms. */
  beforeMs: fc.constantFrom(60_000, 5_000, -2_000),
  afterMs: fc.constantFrom(40_000, 5_000, -2_000),
  /** Share of the polls that are lost. */
  lost: fc.constantFrom(0, 0, 0.3),
});
type Scene = typeof SCENES extends fc.Arbitrary<infer T> ? T : never;

interface Played {
  readonly broker: SimulatedBroker;
  readonly readings: readonly BrokerReading[];
  /** The moment within its scrape that a reading is really of. */
  readonly momentMs: ReadonlyMap<number, number>;
}

/** A scene played: the truth, and what the polls saw of it. */
function play(scene: Scene): Played {
  const source = seededRandom(scene.seed);
  const random = () => source.next() / 2 ** 32;
  const slots = (START_MS + scene.windowMs + AFTERWARDS_MS + 10_000) / SLOT_MS;
  const idle = Array.from({ length: slots }, (_, slot) => {
    const intoMs = slot * SLOT_MS - START_MS;
    const level =
      intoMs < 0
        ? scene.rest
        : (scene.levels[Math.floor((intoMs / scene.windowMs) * scene.levels.length)] ?? scene.rest);
    return Math.min(1, Math.max(0, level + scene.noise * (random() - 0.5)));
  });
  const tickLateMs = Array.from({ length: 97 }, () => scene.tickJitterMs * random());
  const broker = new SimulatedBroker({
    idle,
    meterStartMs: scene.meterStartMs,
    tickLateMs,
    waitMs: scene.waitMs,
  });
  const readings: BrokerReading[] = [];
  const momentMs = new Map<number, number>();
  const untilMs = START_MS + scene.windowMs + scene.afterMs;
  for (let at = START_MS - scene.beforeMs; at < untilMs; at += scene.pollMs) {
    const atMs = at + scene.offsetMs + scene.jitterMs * random();
    if (random() < scene.lost) continue;
    const off = random() - 0.5;
    readings.push(broker.read(atMs, scene.scrapeMs, off));
    momentMs.set(atMs, atMs + off * scene.scrapeMs);
  }
  return { broker, readings, momentMs };
}

const NOTHING = {
  countNs: null,
  meanRate: null,
  oneMinuteRate: null,
  fiveMinuteRate: null,
  fifteenMinuteRate: null,
};

/** Leaves only some of the meter's attributes on the page. */
function showing(readings: readonly BrokerReading[], ...shown: (keyof typeof NOTHING)[]): BrokerReading[] {
  return readings.map((reading) => {
    const meter = reading.idle as HandlerIdle;
    const attributes = Object.fromEntries(shown.map((name) => [name, meter[name]]));
    return { ...reading, idle: { ...meter, ...NOTHING, ...attributes } };
  });
}

/** What a reading claims to be the mean of: a window whose edges were both read is what lies between those looks. */
function truthOf({ broker, readings, momentMs }: Played, windowMs: number, estimator: string): number {
  const lookAt = (edgeMs: number) => {
    const near = readings.filter(({ atMs }) => Math.abs(atMs - edgeMs) <= 500);
    const [nearest] = near.sort((a, b) => Math.abs(a.atMs - edgeMs) - Math.abs(b.atMs - edgeMs));
    return nearest && momentMs.get(nearest.atMs);
  };
  const [from, to] = [lookAt(START_MS), lookAt(START_MS + windowMs)];
  const isBetweenLooks = !estimator.includes('minute') && from !== undefined && to !== undefined;
  return isBetweenLooks ? broker.trueIdle(from, to) : broker.trueIdle(START_MS, START_MS + windowMs);
}

const ESTIMATORS = [
  ['count, self-clocked', ['countNs', 'meanRate']],
  ['count over scrape time', ['countNs']],
  ['mean rate, inverted', ['meanRate']],
  ['one-minute rate, inverted', ['oneMinuteRate']],
  ['five-minute rate, inverted', ['fiveMinuteRate']],
  ['fifteen-minute rate, inverted', ['fifteenMinuteRate']],
] as const;

describe('busy cores', () => {
  it('keeps the truth of the busiest core within its bounds', () => {
    fc.assert(
      fc.property(SCENES, (scene) => {
        const played = play(scene);
        const readings = played.readings.map((reading) => {
          const atMs = played.momentMs.get(reading.atMs) ?? Number.NaN;
          const busyMs = atMs * (1 - played.broker.trueIdle(0, atMs));
          return { ...reading, idle: { kind: 'cores', busySeconds: [0, busyMs / 1_000] } as const };
        });
        const idle = windowedIdle(readings, { startAtMs: START_MS, endAtMs: START_MS + scene.windowMs });
        if (!idle) return;
        const truth = truthOf(played, scene.windowMs, idle.estimator);
        expect(idle.low).toBeLessThanOrEqual(truth + 1e-6);
        expect(idle.high).toBeGreaterThanOrEqual(truth - 1e-6);
      }),
      { numRuns: 150 },
    );
  });
});

describe.each(ESTIMATORS)('%s', (estimator, shown) => {
  it('keeps the truth within its bounds, whatever the load does', () => {
    fc.assert(
      fc.property(SCENES, (scene) => {
        const played = play(scene);
        const window = { startAtMs: START_MS, endAtMs: START_MS + scene.windowMs };
        const idle = windowedIdle(showing(played.readings, ...shown), window);
        if (!idle) return;
        const truth = truthOf(played, scene.windowMs, idle.estimator);
        expect(idle.low).toBeLessThanOrEqual(truth + 1e-6);
        expect(idle.high).toBeGreaterThanOrEqual(truth - 1e-6);
        expect(idle.low).toBeLessThanOrEqual(idle.ratio);
        expect(idle.ratio).toBeLessThanOrEqual(idle.high);
      }),
      { numRuns: 150 },
    );
  });

  it('is the one that is used, and narrow enough to judge by', () => {
    const { broker, readings } = play({ ...QUIET, levels: [0.5] });
    const window = { startAtMs: START_MS, endAtMs: START_MS + QUIET.windowMs };
    const idle = windowedIdle(showing(readings, ...shown), window);
    expect(idle?.estimator).toBe(estimator);
    expect((idle?.high ?? 1) - (idle?.low ?? 0)).toBeLessThan(0.25);
    expect(idle?.ratio).toBeCloseTo(broker.trueIdle(window.startAtMs, window.endAtMs), 1);
  });
});

const QUIET: Scene = {
  seed: 7,
  rest: 0.9,
  levels: [0.5],
  noise: 0.1,
  meterStartMs: 8_300,
  tickJitterMs: 20,
  waitMs: 50,
  windowMs: 30_000,
  pollMs: 1_000,
  offsetMs: 0,
  jitterMs: 0,
  scrapeMs: 20,
  beforeMs: 60_000,
  afterMs: 40_000,
  lost: 0,
};
