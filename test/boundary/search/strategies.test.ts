import { describe, expect, it } from 'vitest';
import { replay, type SearchConfig, step } from '../../../boundary/search/search.ts';
import { openSearch, STRATEGIES, type StrategyName } from '../../../boundary/search/strategies.ts';
import { DEFAULT_WORLD, drawClusterWorld } from '../../../boundary/simulator/cluster-world.ts';
import { NO_MISHAPS, SimulatedCluster } from '../../../boundary/simulator/simulated-cluster.ts';
import { burstCluster, playWhole, WHOLE_CONFIG } from './whole-search.ts';

const NAMES = Object.keys(STRATEGIES) as StrategyName[];

describe.each(NAMES)('a search opened as %s', (name) => {
  it('asks as the bare strategy does, when neither holds nor a time budget are asked for', () => {
    const { commands, events, points } = playWhole(name, WHOLE_CONFIG, burstCluster({ limit: 3_000 }));
    const bare = STRATEGIES[name];
    const asked = events.map((_, i) => bareCommand(name, WHOLE_CONFIG, events.slice(0, i)));
    expect(commands).toEqual(asked);
    expect(bareCommand(name, WHOLE_CONFIG, events)).toEqual({ type: 'done', points });
    expect(bare).toBeDefined();
  });

  it('is not changed by what is told to it: an event leads to another search', () => {
    const search = openSearch(name, WHOLE_CONFIG);
    const before = JSON.stringify(search.command);
    if (search.command.type === 'done') throw new Error('a command is due');
    const next = search.tell(burstCluster({ limit: 3_000 })(search.command));
    expect(JSON.stringify(search.command)).toBe(before);
    expect(next.command).not.toEqual(search.command);
  });

  it('goes on from its events where it was cut off, in the midst of holds too', () => {
    const config: SearchConfig = { ...WHOLE_CONFIG, holdMs: 600_000, timeBudgetSeconds: 9_000 };
    const cluster = burstCluster({ limit: 3_000, lasting: 0.7 });
    const { commands, events, search } = playWhole(name, config, cluster);
    expect(search.command.type).toBe('done');
    for (let at = 0; at <= events.length; at++) {
      const resumed = openSearch(name, config, JSON.parse(JSON.stringify(events.slice(0, at))));
      expect(resumed.command).toEqual(commands[at] ?? search.command);
    }
  });

  it('finds what is left of a simulated cluster when its burst credits are used up', () => {
    const share = 0.6;
    const world = drawClusterWorld(7, { ...DEFAULT_WORLD, family: 'exp', sizes: WHOLE_CONFIG.sizes });
    // Credits for a whole search, not for ten minutes on end.
    const burst = { afterSeconds: 400, share };
    const cluster = new SimulatedCluster(world, 7, { ...NO_MISHAPS, burst });
    const config: SearchConfig = { ...WHOLE_CONFIG, holdMs: 1_200_000 };
    const { points, holds } = playWhole(name, config, (command) => cluster.answer(command));
    expect(holds.length).toBeGreaterThanOrEqual(3);
    points.forEach((point, i) => {
      const truth = share * (world.sizes[i]?.boundary ?? Number.NaN);
      expect(point.lower?.messagesPerSecond, `size ${i}`).toBeLessThan(1.08 * truth);
      expect(point.lower?.messagesPerSecond, `size ${i}`).toBeGreaterThan(0.6 * truth);
    });
    expect(points.some(({ hold }) => (hold?.drops.length ?? 0) > 0)).toBe(true);
  });
});

function bareCommand(name: StrategyName, config: SearchConfig, events: Parameters<typeof replay>[2]) {
  switch (name) {
    case 'adaptive':
      return STRATEGIES.adaptive.ask(replay(STRATEGIES.adaptive, config, events));
    case 'bisection':
      return STRATEGIES.bisection.ask(replay(STRATEGIES.bisection, config, events));
  }
}

it('steps as it tells and asks', () => {
  const { bisection } = STRATEGIES;
  const start = bisection.start(WHOLE_CONFIG);
  const command = bisection.ask(start);
  if (command.type !== 'runProbe') throw new Error('a probe comes first');
  const event = burstCluster({ limit: 3_000 })(command);
  const next = step(bisection, start, event);
  expect(next.state).toEqual(bisection.tell(start, event));
  expect(next.command).toEqual(bisection.ask(next.state));
});
