import type {
  ProbeFinished,
  RunProbe,
  RunTrial,
  SearchCommand,
  SearchEvent,
  TrialFinished,
} from '../search/search.ts';
import { isPastBoundary } from '../search/unit-rate.ts';
import type { OverloadedVerdict, Verdict } from '../verdict.ts';
import type { ClusterWorld } from './cluster-world.ts';
import { type Draws, drawsFrom } from './draws.ts';
import { type SimulatedTrial, SimulatedTrials } from './simulated-trials.ts';

/** What goes wrong besides the noise of the world. */
export interface Mishaps {
  /** Probability that a trial is invalid for no reason of its load. */
  readonly invalidShare: number;
  /** The generator can offer no more than this, messages per second by size; null = whatever is asked. */
  readonly generatorCeilings: readonly number[] | null;
  /** Above this many times the boundary followers leave the ISR; null = never. */
  readonly isrFlapsAbove: number | null;
  /** Capacity falls to this share once the run has lasted so long: burst credits used up. */
  readonly burst: { readonly afterSeconds: number; readonly share: number } | null;
  /** Recovery after an overload takes this many times longer. */
  readonly slowRecovery: number;
}

export const NO_MISHAPS: Mishaps = {
  invalidShare: 0,
  generatorCeilings: null,
  isrFlapsAbove: null,
  burst: null,
  slowRecovery: 1,
};

/** Share of the offered load that a generator at its ceiling may still miss before the trial is spoilt. */
const GENERATOR_TOLERANCE = 0.99;
const INVALID_SECONDS = 20;
const PROBE_RUN_IN_SECONDS = 1;
const IDLE_LIMIT = 0.2;

/** What a search has cost the cluster. */
export interface SearchCost {
  readonly trials: number;
  readonly seconds: number;
  /** Seconds above the boundary times how far above (load / boundary - 1). */
  readonly overloadDose: number;
}

/** A simulated cluster that answers the commands of a search as a run would, with events. */
export class SimulatedCluster {
  readonly #trials: SimulatedTrials;
  readonly #mishaps: Mishaps;
  readonly #chance: Draws;
  #count = 0;
  #dose = 0;

  constructor(world: ClusterWorld, seed: number, mishaps: Mishaps = NO_MISHAPS) {
    // A search keeps to its own limits: none of the owner's is enforced here.
    const sizes = world.sizes.map((size) => ({ ...size, largestLoad: Number.POSITIVE_INFINITY }));
    this.#trials = new SimulatedTrials({ ...world, sizes }, seed);
    this.#mishaps = mishaps;
    // Draws of its own: mishaps do not change what the world draws.
    this.#chance = drawsFrom(seed * 15_485_867 + 11);
  }

  get cost(): SearchCost {
    return { trials: this.#count, seconds: this.#trials.seconds, overloadDose: this.#dose };
  }

  /** Runs a command. */
  answer(command: Exclude<SearchCommand, { type: 'done' }>): SearchEvent {
    this.#count += 1;
    return command.type === 'runProbe' ? this.#probe(command) : this.#trial(command);
  }

  /** True boundary of a size as the run's time has left it, messages per second. */
  boundaryOf(messageBytes: number): number {
    const { burst } = this.#mishaps;
    const size = this.#trials.world.sizes[this.#sizeOf(messageBytes)];
    const share = burst && this.#trials.seconds > burst.afterSeconds ? burst.share : 1;
    return (size?.boundary ?? Number.NaN) * share;
  }

  #sizeOf(messageBytes: number): number {
    return this.#trials.world.sizes.findIndex((size) => size.messageBytes === messageBytes);
  }

  #probe(command: RunProbe): ProbeFinished {
    const before = this.#trials.seconds;
    const size = this.#sizeOf(command.messageBytes);
    const ceiling = this.#mishaps.generatorCeilings?.[size] ?? Number.POSITIVE_INFINITY;
    this.#trials.beginRamp(size);
    const steps: ProbeFinished['steps'][number][] = [];
    for (const unitRate of command.unitRates) {
      const load = Math.min(unitRate * command.np, ceiling);
      const seen = this.#trials.rampStep(
        this.#effective(load, command.messageBytes),
        command.stepMs / 1_000,
        PROBE_RUN_IN_SECONDS,
      );
      this.#addDose(load, command.messageBytes, command.stepMs / 1_000);
      const step = {
        unitRate,
        idle: Math.min(...seen.idle),
        ackedShare: seen.deliveredShare * (load / (unitRate * command.np)),
      };
      steps.push(step);
      if (isPastBoundary(step, IDLE_LIMIT)) break;
    }
    this.#trials.endRamp();
    return {
      type: 'probeFinished',
      probeId: command.probeId,
      steps,
      seconds: this.#trials.seconds - before,
    };
  }

  #trial(command: RunTrial): TrialFinished {
    const { messageBytes, trialId } = command;
    const offered = command.np * command.unitRate;
    const size = this.#sizeOf(messageBytes);
    if (this.#mishaps.invalidShare > 0 && this.#chance.uniform() < this.#mishaps.invalidShare) {
      this.#trials.wait(INVALID_SECONDS);
      return this.#event(trialId, offered, null, {
        kind: 'invalid',
        reason: 'metrics missing',
        detail: 'simulated',
      });
    }
    const ceiling = this.#mishaps.generatorCeilings?.[size] ?? Number.POSITIVE_INFINITY;
    const load = Math.min(offered, ceiling);
    const boundary = this.boundaryOf(messageBytes);
    const seen = this.#trials.measure(size, this.#effective(load, messageBytes), command.windowMs / 1_000);
    const recovery = seen.isOverloaded ? (this.#mishaps.slowRecovery - 1) * 15 : 0;
    this.#trials.wait(recovery);
    this.#addDose(load, messageBytes, seen.windowSeconds + 10);
    const overload = this.#overload(seen, load / boundary);
    if (overload) return this.#event(trialId, offered, seen, overload);
    if (load < offered * GENERATOR_TOLERANCE) {
      const detail = `the generator gave ${Math.round(load)} of ${Math.round(offered)} messages/s`;
      return this.#event(trialId, offered, seen, { kind: 'invalid', reason: 'generator-limited', detail });
    }
    const worst = seen.idle.indexOf(Math.min(...seen.idle));
    const ratio = seen.idle[worst] ?? 0;
    return this.#event(trialId, offered, seen, {
      kind: 'sustained',
      worst: {
        brokerId: worst + 1,
        idle: { ratio, low: ratio, high: ratio, estimator: 'count, self-clocked' },
      },
    });
  }

  /** The rules in the order of the verdict page. */
  #overload(seen: SimulatedTrial, excess: number): OverloadedVerdict | null {
    const least = Math.min(...seen.idle);
    const brokerId = seen.idle.indexOf(least) + 1;
    if (least < IDLE_LIMIT) return overloaded('request-handler idle', brokerId, least, IDLE_LIMIT);
    const flapsAbove = this.#mishaps.isrFlapsAbove;
    if (flapsAbove !== null && excess > flapsAbove) return overloaded('isr churn', null, 1, 0.5);
    return seen.isOverloaded ? overloaded('delivery', null, seen.deliveredShare, 0.99) : null;
  }

  /** The load that the cluster of the draws must see, so that a lost share of its capacity looks right. */
  #effective(load: number, messageBytes: number): number {
    const size = this.#trials.world.sizes[this.#sizeOf(messageBytes)];
    return (load * (size?.boundary ?? 1)) / this.boundaryOf(messageBytes);
  }

  #addDose(load: number, messageBytes: number, seconds: number): void {
    this.#dose += Math.max(0, load / this.boundaryOf(messageBytes) - 1) * seconds;
  }

  #event(
    trialId: string,
    offeredPerSecond: number,
    seen: SimulatedTrial | null,
    verdict: Verdict,
  ): TrialFinished {
    return {
      type: 'trialFinished',
      trialId,
      verdict,
      offeredPerSecond,
      ackedPerSecond: seen ? seen.deliveredShare * offeredPerSecond : 0,
      idleByBroker: Object.fromEntries((seen?.idle ?? []).map((ratio, i) => [String(i + 1), ratio])),
      windowSeconds: seen?.windowSeconds ?? 0,
      atSeconds: this.#trials.seconds,
      seconds: seen?.seconds ?? INVALID_SECONDS,
    };
  }
}

function overloaded(
  rule: OverloadedVerdict['rule'],
  brokerId: number | null,
  value: number,
  limit: number,
): OverloadedVerdict {
  return { kind: 'overloaded', rule, brokerId, value, limit, detail: 'simulated' };
}
