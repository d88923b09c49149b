import { describe, expect, it } from 'vitest';
import { adaptive } from '../../../../boundary/search/adaptive/adaptive.ts';
import type { IdleModel } from '../../../../boundary/search/adaptive/idle-model-types.ts';
import { isSuspect, isTold, trendOf, trendText } from '../../../../boundary/search/adaptive/trend.ts';
import { DEFAULT_WORLD, drawClusterWorld } from '../../../../boundary/simulator/cluster-world.ts';
import { SimulatedCluster } from '../../../../boundary/simulator/simulated-cluster.ts';
import { ADAPTIVE_CONFIG, type Played, play } from './simulated-search.ts';

const PRIOR = 0.06 ** 2;

const modelOf = (change: number, variance: number, seconds = 3_600) =>
  ({
    trend: { change, variance, seconds },
    slope: [2],
    lnLimit: [0],
    curvature: 0.3,
  }) as unknown as IdleModel;

describe('trendOf', () => {
  it('is none in a run of one block, in a short one, and where the trials say nothing', () => {
    expect(trendOf({ ...modelOf(1, 0), trend: null })).toBeNull();
    expect(trendOf(modelOf(-0.1, 0.001, 360))).toBeNull();
    expect(trendOf(modelOf(-0.1, PRIOR))).toBeNull();
  });

  it('undoes the shrinking of the prior: half of the variance learned is twice the change', () => {
    const trend = trendOf(modelOf(-0.05, PRIOR / 2));
    expect(trend?.change).toBeCloseTo(-0.1, 12);
    expect(trend?.deviation).toBeCloseTo(0.06, 12);
    expect(trend?.minutes).toBe(60);
  });

  it('suspects before it tells', () => {
    const of = (change: number) => ({ change, deviation: 1, minutes: 30 });
    expect([1.5, 2.2, 3].map((change) => isSuspect(of(-change)))).toEqual([false, true, true]);
    expect([1.5, 2.2, 3].map((change) => isTold(of(change)))).toEqual([false, false, true]);
  });

  it('says idle at one load, and what it means for the limit', () => {
    const text = trendText({ change: -0.2, deviation: 0.05, minutes: 24 }, modelOf(0, 0), {
      size: 0,
      lnLoad: 0,
      limitLogit: Math.log(0.25),
    });
    expect(text).toBe(
      'over the 24 min of the run idle at one load fell from 0.22 to 0.18: the cluster got slower, by about 10 % of its limit',
    );
  });
});

/** A search of a cluster whose limits fall by this share an hour. */
function playTrend(seed: number, fallPerHour: number): Played {
  const options = { ...DEFAULT_WORLD, family: 'B', driftPerHour: 0 } as const;
  const sizes = [100, 300, 1_000, 3_000, 10_000, 30_000];
  const cluster = new SimulatedCluster(drawClusterWorld(seed, { ...options, sizes }), seed);
  let at = 0;
  return play({ ...ADAPTIVE_CONFIG, sizes }, (command) => {
    if (command.type === 'runProbe') return cluster.answer(command);
    const heavier = Math.exp((fallPerHour * at) / 3_600);
    const event = cluster.answer({ ...command, unitRate: command.unitRate * heavier });
    if (event.type !== 'trialFinished') return event;
    at = event.atSeconds;
    const { offeredPerSecond, ackedPerSecond } = event;
    return {
      ...event,
      offeredPerSecond: offeredPerSecond / heavier,
      ackedPerSecond: ackedPerSecond / heavier,
    };
  });
}

const trendNotes = ({ state }: Played) =>
  adaptive.finished(state).flatMap(({ notes }) => notes.filter((note) => /the cluster got/.test(note)));
const references = ({ trials }: Played) => trials.filter(({ purpose }) => purpose === 'reference');

describe('a reference trial', () => {
  it('repeats an early load when the cluster gets slower, at most twice, and the run says so once', () => {
    const played = playTrend(7, 0.4);
    const repeats = references(played);
    expect(repeats.length).toBeGreaterThanOrEqual(1);
    expect(repeats.length).toBeLessThanOrEqual(2);
    for (const repeat of repeats) {
      const early = played.trials.find(
        (trial) =>
          trial.purpose !== 'reference' &&
          trial.messageBytes === repeat.messageBytes &&
          trial.np === repeat.np &&
          trial.unitRate === repeat.unitRate,
      );
      expect(early).toBeDefined();
      expect(repeat.why).toMatch(/slower/);
    }
    expect(trendNotes(played)).toHaveLength(1);
    expect(trendNotes(played)[0]).toMatch(/got slower/);
  }, 60_000);

  it('is missed in a search that was cut off before it, which says so', () => {
    const played = playTrend(7, 0.4);
    const first = played.commands.findIndex(
      (command) => command.type === 'runTrial' && command.purpose === 'reference',
    );
    const sizes = [100, 300, 1_000, 3_000, 10_000, 30_000];
    const cut = played.events
      .slice(0, first)
      .reduce(adaptive.tell, adaptive.start({ ...ADAPTIVE_CONFIG, sizes }));
    const notes = adaptive.soFar(cut).flatMap((point) => point.notes);
    expect(notes.filter((note) => /the cluster got slower/.test(note))).toEqual([
      expect.stringMatching(/ \(no load was repeated to make sure\)$/),
    ]);
  }, 60_000);

  it('is not asked for where nothing drifts', () => {
    const played = [7, 8, 9].map((seed) => playTrend(seed, 0));
    expect(played.flatMap(references).length).toBeLessThanOrEqual(1);
    expect(played.flatMap(trendNotes)).toEqual([]);
  }, 60_000);
});
