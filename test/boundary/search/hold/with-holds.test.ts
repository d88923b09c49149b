import { describe, expect, it } from 'vitest';
import type { LoadBound } from '../../../../boundary/boundary-point.ts';
import { safeThroughput } from '../../../../boundary/safe-throughput.ts';
import { bisection } from '../../../../boundary/search/bisection.ts';
import { withHolds } from '../../../../boundary/search/hold/with-holds.ts';
import { replay, type SearchConfig } from '../../../../boundary/search/search.ts';
import { openSearch, type StrategyName } from '../../../../boundary/search/strategies.ts';
import type { Verdict } from '../../../../boundary/verdict.ts';
import { burstCluster, type Command, playWhole, trialEvent, WHOLE_CONFIG } from '../whole-search.ts';

const HOLDING: SearchConfig = { ...WHOLE_CONFIG, holdMs: 600_000 };
const STRATEGIES: readonly StrategyName[] = ['bisection', 'adaptive'];

const loadOf = ({ np, unitRate }: Pick<LoadBound, 'np' | 'unitRate'>) => np * unitRate;

/** Holds answered by this instead of the cluster. */
function withHoldsAnswered(cluster: ReturnType<typeof burstCluster>, kind: Verdict['kind']) {
  return (command: Command) =>
    command.type === 'runTrial' && command.purpose === 'hold' ? trialEvent(command, kind) : cluster(command);
}

describe.each(STRATEGIES)('holds after %s', (name) => {
  it('hold the lower bound of every size, smallest first, and leave a point that lasts as it was', () => {
    const plain = playWhole(name, WHOLE_CONFIG, burstCluster({ limit: 2_000 }));
    const { points, holds, commands } = playWhole(name, HOLDING, burstCluster({ limit: 2_000 }));
    expect(holds.map(({ messageBytes }) => messageBytes)).toEqual([100, 1_000, 10_000]);
    expect(commands.slice(-3)).toEqual(holds);
    points.forEach((point, i) => {
      const before = plain.points[i];
      const { hold, trials, seconds, notes, ...rest } = point;
      expect(before).toMatchObject(rest);
      const told = before?.notes.filter((note) => note !== 'ISR not observed') ?? [];
      const isFar = (point.lower?.messagesPerSecond ?? 0) < 0.9 * (point.estimate ?? 0);
      expect(notes.slice(0, told.length)).toEqual(told);
      expect(notes.slice(told.length).join()).toMatch(
        isFar ? /^the limit itself was not held: 1,\d{3}\/s is \d\d % under it$/ : /^$/,
      );
      expect(trials).toBe((before?.trials ?? 0) + 1);
      expect(seconds).toBeGreaterThan((before?.seconds ?? 0) + 600);
      const { np = 0, unitRate = 0 } = point.lower ?? {};
      const lasted = { np, unitRate, messagesPerSecond: np * unitRate, trials: 1 };
      expect(hold).toEqual({ plannedSeconds: 600, lasted, drops: [] });
    });
  });

  it('find the load that lasts when burst credits run out', () => {
    for (const lasting of [0.75, 0.6, 0.45, 0.3]) {
      const cluster = burstCluster({ limit: 2_000, lasting });
      const { points, holds } = playWhole(name, HOLDING, cluster);
      const fresh = playWhole(name, WHOLE_CONFIG, burstCluster({ limit: 2_000, lasting })).points;
      expect(points).toHaveLength(3);
      const dropped = points.filter(({ hold }) => hold?.drops.length !== 0);
      expect(dropped.length).toBeGreaterThan(1);
      for (const point of dropped) {
        const truth = 2_000 * lasting;
        expect(point.lower && loadOf(point.lower), `${lasting}`).toBeLessThanOrEqual(truth);
        expect(point.upper && loadOf(point.upper), `${lasting}`).toBeGreaterThan(truth);
        expect(Math.abs((point.estimate ?? 0) / truth - 1)).toBeLessThan(0.15);
        expect(point).toMatchObject({
          interval: null,
          quality: 'wide',
          limit: { rule: 'request-handler idle', brokerId: 1 },
        });
        expect(point.hold?.lasted).toEqual(point.lower);
        const { estimate, interval, lower, upper, quality } =
          fresh.find(({ messageBytes }) => messageBytes === point.messageBytes) ?? {};
        expect(point.hold?.fresh).toEqual({ estimate, interval, lower, upper, quality });
        expect(point.hold?.drops[0]).toMatchObject({ afterSeconds: 220, rule: 'request-handler idle' });
        expect(point.notes[0]).toMatch(/^the limit of a fresh cluster was about (1,900|2,000|2,100)\/s$/);
        const safe = safeThroughput(point.lower?.messagesPerSecond ?? 0, point.messageBytes, 3);
        expect(safe?.clusterMessagesPerSecond).toBeLessThanOrEqual(0.8 * truth * (1 + 1e-9));
        expect(holds.filter((hold) => hold.messageBytes === point.messageBytes).length).toBeLessThanOrEqual(
          4,
        );
      }
    }
  });

  it('say `at most` when no load lasts, and claim none', () => {
    const answer = withHoldsAnswered(burstCluster({ limit: 2_000 }), 'overloaded');
    const { points, holds } = playWhole(name, HOLDING, answer);
    expect(holds).toHaveLength(12);
    for (const point of points) {
      expect(point).toMatchObject({ estimate: null, interval: null, lower: null, quality: 'at most' });
      expect(point.hold).toMatchObject({ lasted: null });
      expect(point.hold?.drops).toHaveLength(4);
      expect(point.upper?.messagesPerSecond).toBeLessThan(0.8 * 2_000);
      expect(point.notes.at(-1)).toBe('ended after 4 holds');
    }
  });

  it('know nothing from invalid holds: three at one load, and the point says so', () => {
    const plain = playWhole(name, WHOLE_CONFIG, burstCluster({ limit: 2_000 }));
    const answer = withHoldsAnswered(burstCluster({ limit: 2_000 }), 'invalid');
    const { points, holds } = playWhole(name, HOLDING, answer);
    expect(holds).toHaveLength(9);
    points.forEach((point, i) => {
      expect(point.hold).toBeUndefined();
      expect(point.lower).toEqual(plain.points[i]?.lower);
      expect(point.estimate).toBe(plain.points[i]?.estimate);
      expect(point.notes.at(-1)).toMatch(/^[12],\d{3}\/s could not be held: shard lost \(test\)$/);
    });
  });

  it('are part of what remains, and of what is finished', () => {
    let last = Number.POSITIVE_INFINITY;
    playWhole(name, HOLDING, burstCluster({ limit: 2_000 }), (search) => {
      const { command, finished, remaining } = search;
      const isHold = command.type === 'runTrial' && command.purpose === 'hold';
      const left = command.type === 'done' ? 0 : isHold ? 3 - finished.length : 3;
      expect(remaining.windowSeconds).toBeGreaterThanOrEqual(600 * left);
      expect(remaining.trials).toBeGreaterThanOrEqual(left);
      if (!isHold && command.type !== 'done') expect(finished).toEqual([]);
      if (isHold) {
        expect(remaining.windowSeconds).toBe(600 * left);
        expect(remaining.windowSeconds).toBeLessThan(last);
        last = remaining.windowSeconds;
        const open = search.soFar().filter((point) => !finished.includes(point));
        expect(
          open.filter(({ notes }) => notes.includes('not held for 10 min: the bound may not last')),
        ).toHaveLength(left);
      }
    });
  });

  it('do not call a dropped bound sustained while the search for what lasts goes on', () => {
    const { events } = playWhole(name, HOLDING, burstCluster({ limit: 2_000, lasting: 0.5 }));
    const firstDrop = events.findIndex(
      (event) => event.type === 'trialFinished' && event.heldSeconds === 220,
    );
    const [point] = openSearch(name, HOLDING, events.slice(0, firstDrop + 1)).soFar();
    expect(point).toMatchObject({ lower: null, estimate: null, quality: 'at most' });
    expect(point?.notes.at(-1)).toBe('the search for a load that lasts is not at its end');
  });

  it('show the bounds that a hold has left', () => {
    const { holds } = playWhole(name, HOLDING, burstCluster({ limit: 2_000, lasting: 0.7 }));
    const [first, ...later] = holds.filter(({ messageBytes }) => messageBytes === 1_000);
    if (!first) throw new Error('the bound is held');
    expect(first.lower).toBeCloseTo(loadOf(first), 9);
    expect(first.upper).toBeGreaterThan(loadOf(first));
    let [lower, upper] = [null as number | null, loadOf(first)];
    for (const hold of later) {
      expect(hold).toMatchObject({ lower, upper });
      if (loadOf(hold) > 0.7 * 2_000) upper = loadOf(hold);
      else lower = loadOf(hold);
    }
    expect(later.length).toBeGreaterThan(0);
  });
});

it('takes in the hold that is due, and no other', () => {
  const strategy = withHolds(bisection);
  const { events } = playWhole('bisection', HOLDING, burstCluster({ limit: 2_000 }));
  const state = replay(strategy, HOLDING, events.slice(0, -3));
  const due = strategy.ask(state);
  if (due.type !== 'runTrial') throw new Error('a hold is due');
  expect(due.purpose).toBe('hold');
  for (const event of events.slice(0, -3)) expect(strategy.tell(state, event)).toBe(state);
  expect(strategy.tell(state, { ...trialEvent(due, 'sustained'), trialId: '3-hold1' })).toBe(state);
  expect(strategy.ask(strategy.tell(state, trialEvent(due, 'sustained')))).toMatchObject({
    messageBytes: 1_000,
  });
});

it('leaves the search as it is without holds', () => {
  for (const holdMs of [undefined, 0]) {
    const config = holdMs === undefined ? WHOLE_CONFIG : { ...WHOLE_CONFIG, holdMs };
    const { holds, points } = playWhole('bisection', config, burstCluster({ limit: 2_000 }));
    expect(holds).toEqual([]);
    expect(points.every(({ hold }) => hold === undefined)).toBe(true);
  }
});

it('keeps `ISR not observed` when the hold is too short to see it', () => {
  const config: SearchConfig = { ...HOLDING, confirm: 0, isrHoldMs: 45_000 };
  const seen = playWhole('bisection', config, burstCluster({ limit: 2_000 }));
  const unseen = playWhole('bisection', { ...config, holdMs: 30_000 }, burstCluster({ limit: 2_000 }));
  expect(seen.points[0]?.notes).not.toContain('ISR not observed');
  expect(unseen.points[0]?.notes).toContain('ISR not observed');
});
