import type {
  ProbeFinished,
  RunProbe,
  RunTrial,
  SearchCommand,
  SearchEvent,
  TrialFinished,
} from '../search/search.ts';
import { isPastBoundary } from '../search/unit-rate.ts';
import type { Verdict } from '../verdict.ts';
import { BurstCredits } from './burst-credits.ts';
import type { ClusterWorld, SizeWorld } from './cluster-world.ts';
import { type Draws, drawsFrom } from './draws.ts';
import { IDLE_LIMIT } from './idle-curve.ts';
import { type Mishaps, NO_MISHAPS } from './mishaps.ts';
import { holdLoad, type Look } from './simulated-hold.ts';
import { SimulatedTrials, WARM_UP_SECONDS } from './simulated-trials.ts';
import { simulatedOverload, simulatedSustained } from './simulated-verdict.ts';
import { nearestSize, sizeWorldAt } from './size-between.ts';

export { type Mishaps, NO_MISHAPS } from './mishaps.ts';

/** Share of the offered load that a generator at its ceiling may still miss before the trial is spoilt. */
const GENERATOR_TOLERANCE = 0.99;
const INVALID_SECONDS = 20;
const PROBE_RUN_IN_SECONDS = 1;

/** What a search has cost the cluster. */
export interface SearchCost {
  readonly trials: number;
  readonly seconds: number;
  /** Seconds above the boundary times how far above (load / boundary - 1). */
  readonly overloadDose: number;
}

/** What was seen of one load; the verdict comes from it. */
interface Seen extends Look {
  readonly windowSeconds: number;
  /** Of a hold: how long the load was carried, seconds. */
  readonly heldSeconds?: number;
}

/**
 * A simulated cluster that answers the commands of a search as a run would, with events, at the sizes of its world and at
 * any other. Equal worlds, seeds and commands give equal answers.
 */
export class SimulatedCluster {
  readonly #trials: SimulatedTrials;
  readonly #mishaps: Mishaps;
  readonly #credits: BurstCredits;
  readonly #chance: Draws;
  #count = 0;
  #dose = 0;

  constructor(world: ClusterWorld, seed: number, mishaps: Mishaps = NO_MISHAPS) {
    this.#trials = new SimulatedTrials(world, seed);
    this.#mishaps = mishaps;
    this.#credits = new BurstCredits(mishaps.burst);
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

  /** True boundary of a size as the run has left it, messages per second. */
  boundaryOf(messageBytes: number): number {
    return this.#sizeOf(messageBytes).boundary * this.#credits.share;
  }

  #sizeOf(messageBytes: number): SizeWorld {
    // A search keeps to its own limits: none of the owner's is enforced here.
    return { ...sizeWorldAt(this.#trials.world, messageBytes), largestLoad: Number.POSITIVE_INFINITY };
  }

  #probe(command: RunProbe): ProbeFinished {
    const before = this.#trials.seconds;
    const size = this.#sizeOf(command.messageBytes);
    const stepSeconds = command.stepMs / 1_000;
    this.#trials.beginRamp(size);
    const steps: ProbeFinished['steps'][number][] = [];
    for (const unitRate of command.unitRates) {
      const offered = unitRate * command.np;
      const load = Math.min(offered, this.#ceilingAt(command.messageBytes));
      const felt = this.#feltLoad(size, load, stepSeconds);
      const seen = this.#trials.rampStep(felt, stepSeconds, PROBE_RUN_IN_SECONDS);
      this.#apply(size, load, felt, stepSeconds);
      const idle = Math.min(...seen.idle);
      const step = { unitRate, idle, ackedShare: seen.deliveredShare * (load / offered) };
      steps.push(step);
      if (isPastBoundary(step, IDLE_LIMIT)) break;
    }
    const loadedUntil = this.#trials.seconds;
    this.#trials.endRamp();
    this.#recover(this.#trials.seconds - loadedUntil, false);
    return {
      type: 'probeFinished',
      probeId: command.probeId,
      steps,
      seconds: this.#trials.seconds - before,
    };
  }

  #trial(command: RunTrial): TrialFinished {
    const before = this.#trials.seconds;
    const offered = command.np * command.unitRate;
    const load = Math.min(offered, this.#ceilingAt(command.messageBytes));
    const answer = (seen: Seen | null, verdict: Verdict): TrialFinished => ({
      type: 'trialFinished',
      trialId: command.trialId,
      verdict,
      offeredPerSecond: offered,
      ackedPerSecond: seen ? seen.deliveredShare * load : 0,
      idleByBroker: Object.fromEntries((seen?.idle ?? []).map((ratio, i) => [String(i + 1), ratio])),
      windowSeconds: seen?.windowSeconds ?? 0,
      ...(seen?.heldSeconds === undefined ? {} : { heldSeconds: seen.heldSeconds }),
      atSeconds: this.#trials.seconds,
      seconds: this.#trials.seconds - before,
    });
    if (this.#mishaps.invalidShare > 0 && this.#chance.uniform() < this.#mishaps.invalidShare) {
      this.#pause(INVALID_SECONDS);
      return answer(null, { kind: 'invalid', reason: 'metrics missing', detail: 'simulated' });
    }
    const size = this.#sizeOf(command.messageBytes);
    const seen =
      command.purpose === 'hold'
        ? this.#hold(size, load, command.windowMs / 1_000)
        : this.#measure(size, load, command.windowMs / 1_000);
    const overload = simulatedOverload(seen, seen.isrFlaps);
    if (overload) return answer(seen, overload);
    if (load < offered * GENERATOR_TOLERANCE) {
      const detail = `the generator gave ${Math.round(load)} of ${Math.round(offered)} messages/s`;
      return answer(seen, { kind: 'invalid', reason: 'generator-limited', detail });
    }
    return answer(seen, simulatedSustained(seen));
  }

  #measure(size: SizeWorld, load: number, plannedSeconds: number): Seen {
    const felt = this.#feltLoad(size, load, WARM_UP_SECONDS + plannedSeconds);
    const seen = this.#trials.measure(size, felt, plannedSeconds);
    const loadedSeconds = WARM_UP_SECONDS + seen.windowSeconds;
    this.#apply(size, load, felt, loadedSeconds);
    this.#recover(seen.seconds - loadedSeconds, seen.isOverloaded);
    return { ...seen, isrFlaps: this.#isrFlaps(size, felt) };
  }

  #hold(size: SizeWorld, load: number, plannedSeconds: number): Seen {
    this.#trials.beginHold(size);
    this.#apply(size, load, load, WARM_UP_SECONDS);
    const held = holdLoad(plannedSeconds, (seconds) => {
      const felt = this.#feltLoad(size, load, seconds);
      this.#apply(size, load, felt, seconds);
      return { ...this.#trials.holdSlice(felt, seconds), isrFlaps: this.#isrFlaps(size, felt) };
    });
    const loadedUntil = this.#trials.seconds;
    this.#trials.endHold(held.hasDropped);
    this.#recover(this.#trials.seconds - loadedUntil, held.hasDropped);
    return held;
  }

  /** The load that the world of the draws must see, so that a lost share of its capacity looks right. */
  #feltLoad(size: SizeWorld, load: number, seconds: number): number {
    return load / this.#credits.meanShare(load / size.boundary, seconds);
  }

  #isrFlaps(size: SizeWorld, felt: number): boolean {
    const { isrFlapsAbove } = this.#mishaps;
    return isrFlapsAbove !== null && felt / size.boundary > isrFlapsAbove;
  }

  /** Counts what a load has cost. */
  #apply(size: SizeWorld, load: number, felt: number, seconds: number): void {
    this.#credits.spend(load / size.boundary, seconds);
    this.#dose += Math.max(0, felt / size.boundary - 1) * seconds;
  }

  /** The world has waited until an overload was over; a slow cluster needs longer. */
  #recover(waitedSeconds: number, wasOverloaded: boolean): void {
    this.#credits.rest(waitedSeconds);
    if (wasOverloaded) this.#pause((this.#mishaps.slowRecovery - 1) * waitedSeconds);
  }

  #pause(seconds: number): void {
    this.#trials.wait(seconds);
    this.#credits.rest(seconds);
  }

  #ceilingAt(messageBytes: number): number {
    const { generatorCeilings } = this.#mishaps;
    const index = nearestSize(this.#trials.world.sizes, messageBytes);
    return generatorCeilings?.[index] ?? Number.POSITIVE_INFINITY;
  }
}
