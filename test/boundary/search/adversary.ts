import fc from 'fast-check';
import type { FleetCapacity } from '../../../boundary/fleet-capacity.ts';
import type { SearchConfig, SearchEvent } from '../../../boundary/search/search.ts';
import type { StrategyName } from '../../../boundary/search/strategies.ts';
import { BYTES_PER_MB } from '../../../boundary/units.ts';
import { INVALID_REASONS, OVERLOAD_RULES, type Verdict } from '../../../boundary/verdict.ts';
import { type Command, trialEvent, WHOLE_CONFIG } from './whole-search.ts';

/** Answers that follow no cluster at all, and configurations of every kind: what a search must stand. */

const idle = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  // What no meter should show, and meters do.
  { weight: 1, arbitrary: fc.constantFrom(null, -0.3, 0, 1, 1.7) },
);

const verdict: fc.Arbitrary<Verdict> = fc.oneof(
  fc.constant<Verdict>({ kind: 'sustained', worst: null }),
  fc
    .constantFrom(...OVERLOAD_RULES)
    .map((rule): Verdict => ({ kind: 'overloaded', rule, brokerId: 1, value: 0, limit: 0.2, detail: '' })),
  fc
    .constantFrom(...INVALID_REASONS)
    .map((reason): Verdict => ({ kind: 'invalid', reason, detail: 'drawn' })),
);

const answer = fc.record({
  verdict,
  idle: fc.array(idle, { minLength: 1, maxLength: 4 }),
  ackedShare: fc.double({ min: 0, max: 1.02, noNaN: true }),
  windowSeconds: fc.double({ min: 0, max: 90, noNaN: true }),
  heldSeconds: fc.option(fc.double({ min: 0, max: 700, noNaN: true }), { nil: undefined }),
  seconds: fc.double({ min: 1, max: 90, noNaN: true }),
  /** Steps of a probe that are read, over those that were asked for. */
  stepShare: fc.double({ min: 0, max: 1, noNaN: true }),
});

export const answers = fc.array(answer, { minLength: 1, maxLength: 30 });
export type Answers = typeof answers extends fc.Arbitrary<infer T> ? T : never;

/** Gives the answers in turn, over and over. */
export function adversary(list: Answers): (command: Command) => SearchEvent {
  let count = 0;
  let atSeconds = 0;
  return (command) => {
    const next = list[count % list.length];
    if (!next) throw new Error('an adversary has answers');
    count += 1;
    atSeconds += next.seconds;
    if (command.type === 'runTrial') {
      const { heldSeconds, ...seen } = next;
      // A trial that is sustained has its messages acknowledged: else the verdict is another one.
      const ackedShare =
        next.verdict.kind === 'sustained' ? Math.max(0.99, next.ackedShare) : next.ackedShare;
      const held = command.purpose === 'hold' && heldSeconds !== undefined ? { heldSeconds } : {};
      return trialEvent(command, next.verdict.kind, { ...seen, ackedShare, ...held, atSeconds });
    }
    const rates = command.unitRates.slice(0, Math.ceil(next.stepShare * command.unitRates.length));
    const steps = rates.map((unitRate, i) => ({
      unitRate,
      idle: next.idle[i % next.idle.length] ?? null,
      ackedShare: next.ackedShare,
    }));
    return { type: 'probeFinished', probeId: command.probeId, steps, seconds: next.seconds };
  };
}

const former = WHOLE_CONFIG.sizes.map((messageBytes) => ({
  messageBytes,
  estimate: 2_000,
  low: 1_900,
  high: 2_100,
}));

/** One worker that offers this much of large messages, and half of it of small ones. */
function fleetOf(megabytesPerSecond: number): FleetCapacity {
  const rate = (messageBytes: number, share: number) => ({
    messageBytes,
    messagesPerSecond: (share * megabytesPerSecond * BYTES_PER_MB) / messageBytes,
  });
  return { workers: 1, rates: [rate(100, 0.5), rate(10_000, 1)] };
}

export interface Setting {
  readonly name: StrategyName;
  readonly config: SearchConfig;
}

/** Both strategies, with and without everything that can be asked for. */
export const settings: fc.Arbitrary<Setting> = fc
  .record({
    name: fc.constantFrom<StrategyName>('bisection', 'adaptive'),
    maxTrials: fc.integer({ min: 3, max: 40 }),
    maxMegabytesPerSecond: fc.option(fc.integer({ min: 1, max: 50 })),
    fleetMegabytesPerSecond: fc.option(fc.integer({ min: 1, max: 50 })),
    maxNp: fc.constantFrom(8, 60, 200),
    precision: fc.constantFrom(0, 0.05, 0.1),
    confirm: fc.constantFrom<0 | 1>(0, 1),
    holdMs: fc.constantFrom(0, 120_000),
    timeBudgetSeconds: fc.option(fc.integer({ min: 0, max: 2_000 })),
    withoutSignals: fc.boolean(),
    isRerun: fc.boolean(),
    isRange: fc.boolean(),
  })
  .map(({ name, isRerun, isRange, fleetMegabytesPerSecond, ...drawn }) => ({
    name,
    config: {
      ...WHOLE_CONFIG,
      ...drawn,
      ...(fleetMegabytesPerSecond === null ? {} : { fleet: fleetOf(fleetMegabytesPerSecond) }),
      ...(isRerun && name === 'adaptive' ? { former } : {}),
      ...(isRange && name === 'adaptive' && !drawn.withoutSignals
        ? { sizeRange: { from: 100, to: 10_000 } }
        : {}),
    },
  }));
