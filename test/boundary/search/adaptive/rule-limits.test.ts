import { describe, expect, it } from 'vitest';
import { analyse } from '../../../../boundary/search/adaptive/analyse.ts';
import type { Observation } from '../../../../boundary/search/adaptive/observation.ts';
import type { SearchEvent } from '../../../../boundary/search/search.ts';
import { DEFAULT_WORLD, drawClusterWorld } from '../../../../boundary/simulator/cluster-world.ts';
import { NO_MISHAPS, SimulatedCluster } from '../../../../boundary/simulator/simulated-cluster.ts';
import type { OverloadRule } from '../../../../boundary/verdict.ts';
import { ADAPTIVE_CONFIG, play } from './simulated-search.ts';

/** Of the limit of idle; the rule of the simulated cluster that sets in there stands for others of its kind. */
const FIRST_AT = 0.75;

function renamed(event: SearchEvent, rule: OverloadRule): SearchEvent {
  if (event.type !== 'trialFinished' || event.verdict.kind !== 'overloaded') return event;
  return event.verdict.rule === 'isr churn' ? { ...event, verdict: { ...event.verdict, rule } } : event;
}

describe('a rule that is not seen coming', () => {
  it.each<OverloadRule>(['isr churn', 'consumer lag', 'latency'])(
    'is the limit when it comes first: %s',
    (rule) => {
      const world = drawClusterWorld(21, { ...DEFAULT_WORLD, family: 'exp', sizes: ADAPTIVE_CONFIG.sizes });
      const cluster = new SimulatedCluster(world, 21, { ...NO_MISHAPS, isrFlapsAbove: FIRST_AT });
      const { state } = play(ADAPTIVE_CONFIG, (command) => renamed(cluster.answer(command), rule));
      for (const [size, point] of state.done.entries()) {
        expect(point.limit).toEqual({ rule, brokerId: null });
        const truth = FIRST_AT * (world.sizes[size]?.boundary ?? 0);
        expect(Math.abs(Math.log((point.estimate ?? 0) / truth))).toBeLessThan(0.15);
      }
    },
  );

  const seen = (lnLoad: number, verdict: OverloadRule | null): Observation => ({
    size: 0,
    lnLoad,
    ackedShare: 1,
    idle: [0.5],
    windowSeconds: 15,
    atSeconds: lnLoad * 100,
    verdict,
  });
  const chanceAbove = (lnLoad: number, ...observations: readonly Observation[]) =>
    analyse({
      sizes: [1_000],
      idleLimit: 0.2,
      observations,
      hints: [],
      ramps: [],
    }).sizes[0]?.probabilityAbove(lnLoad) ?? Number.NaN;

  it('says nothing of loads at which an earlier rule was broken', () => {
    // Lag at 7, churn at 8: whether consumers would have kept up at 8 was not asked.
    const lag = [seen(6, null), seen(6.1, null), seen(7, 'consumer lag'), seen(7.1, 'consumer lag')];
    const without = chanceAbove(7.05, ...lag);
    expect(without).toBeLessThan(0.1);
    const beyond = (rule: OverloadRule) => [8, 8.1, 8.2].map((lnLoad) => seen(lnLoad, rule));
    expect(chanceAbove(7.05, ...lag, ...beyond('isr churn'))).toBeLessThan(0.1);
    // A later rule is asked only after consumers have passed.
    expect(chanceAbove(7.05, ...lag, ...beyond('latency'))).toBeGreaterThan(2 * without);
  });
});
