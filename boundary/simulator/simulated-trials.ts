import { expit, logit } from '../statistics/logit.ts';
import type { ClusterWorld, SizeWorld } from './cluster-world.ts';
import { type Draws, drawsFrom } from './draws.ts';
import { type Drift, drawDrift } from './drift.ts';
import { IDLE_LIMIT, idleLogitAt } from './idle-curve.ts';

/** What one look at the simulated cluster shows. */
export interface SimulatedReading {
  /** Idle of every broker, 0..1. */
  readonly idle: readonly number[];
  /** Delivered messages per second, and their share of the offered ones. */
  readonly delivered: number;
  readonly deliveredShare: number;
}

export interface SimulatedTrial extends SimulatedReading {
  /** Offered messages per second, held under the owner's largest load. */
  readonly load: number;
  readonly isOverloaded: boolean;
  /** Seconds that were measured: less than planned when the overload was plain. */
  readonly windowSeconds: number;
  /** Seconds the trial took with warm-up and recovery. */
  readonly seconds: number;
}

/** A size of the world, by its index or itself; the latter need not be one that was drawn. */
export type WorldPlace = number | SizeWorld;

const DELIVERED = 0.99;
/** Load before the window, which does not count. */
export const WARM_UP_SECONDS = 10;
/** Noise of a broker's idle over 8 s at an idle of 0.2. */
const IDLE_NOISE = 0.02;

/**
 * Trials against a simulated cluster, with its noise, its drift and the time they take. Draw for draw the same whenever
 * world, seed and the sequence of calls are.
 */
export class SimulatedTrials {
  readonly world: ClusterWorld;
  readonly #draws: Draws;
  readonly #drift: Drift;
  #seconds = 0;
  #ramp: Ramp | null = null;
  #hold: Hold | null = null;

  constructor(world: ClusterWorld, seed: number) {
    this.world = world;
    this.#draws = drawsFrom(seed * 104_729 + 7);
    this.#drift = drawDrift(this.#draws, world.driftPerHour);
  }

  /** Seconds that have passed in the simulation. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Lets time pass without load. */
  wait(seconds: number): void {
    this.#seconds += seconds;
  }

  /** One trial at a size: warm-up, window (cut short when plainly overloaded), recovery. */
  measure(size: WorldPlace, wantedLoad: number, plannedSeconds: number): SimulatedTrial {
    const at = this.#sizeAt(size);
    const load = Math.min(wantedLoad, at.largestLoad);
    const shift = this.#drawRunShift();
    const excess = Math.max(0, load / at.boundary - 1);
    const cut =
      excess > 0 ? Math.max(6, Math.min(plannedSeconds, 3 / Math.max(excess, 0.01))) : plannedSeconds;
    const reading = this.#read(at, Math.log(load), cut, shift);
    const isOverloaded = isOver(reading);
    const loadedSeconds = WARM_UP_SECONDS + (isOverloaded ? cut : plannedSeconds);
    const recovery = isOverloaded || excess > 0.02 ? 15 + Math.min(60, 2 * excess * loadedSeconds) : 5;
    const seconds = loadedSeconds + recovery;
    this.#seconds += seconds;
    return {
      ...reading,
      load,
      isOverloaded,
      windowSeconds: isOverloaded ? cut : plannedSeconds,
      seconds,
    };
  }

  /** Starts a ramp: one run whose load changes step by step. */
  beginRamp(size: WorldPlace): void {
    this.#ramp = {
      at: this.#sizeAt(size),
      shift: this.#drawRunShift(),
      lnLoad: null,
      excess: 0,
      stepSeconds: 8,
    };
    this.#seconds += WARM_UP_SECONDS;
  }

  /** Offers a load for `stepSeconds` and reads after `settleSeconds`; the cluster lags behind the change. */
  rampStep(wantedLoad: number, stepSeconds: number, settleSeconds: number): Omit<SimulatedTrial, 'seconds'> {
    const ramp = this.#ramp;
    if (!ramp) throw new Error('beginRamp() comes first');
    const { at } = ramp;
    const load = Math.min(wantedLoad, at.largestLoad);
    const lnLoad = Math.log(load);
    const windowSeconds = stepSeconds - settleSeconds;
    const lag = this.world.lagSeconds;
    const before = ramp.lnLoad ?? lnLoad;
    const behind =
      (((before - lnLoad) * lag) / windowSeconds) *
      (Math.exp(-settleSeconds / lag) - Math.exp(-stepSeconds / lag));
    this.#seconds += stepSeconds;
    const reading = this.#read(at, lnLoad + behind, windowSeconds, ramp.shift + at.rampBias * 0.5);
    const overCap = Math.max(0, load / at.deliveryCap - 1);
    if (overCap > 0) this.#seconds += Math.min(30, 2 * overCap * stepSeconds);
    this.#ramp = {
      ...ramp,
      lnLoad: lnLoad + (before - lnLoad) * Math.exp(-stepSeconds / lag),
      excess: Math.max(0, load / at.boundary - 1),
      stepSeconds,
    };
    return { ...reading, load, isOverloaded: isOver(reading), windowSeconds };
  }

  /** Ends the ramp and lets the cluster recover. */
  endRamp(): void {
    if (!this.#ramp) return;
    const { excess, stepSeconds } = this.#ramp;
    this.#seconds += excess > 0.02 ? 15 + Math.min(60, 2 * excess * stepSeconds) : 5;
    this.#ramp = null;
  }

  /** Starts one load that is held for long, and looked at in slices. */
  beginHold(size: WorldPlace): void {
    this.#hold = { at: this.#sizeAt(size), shift: this.#drawRunShift() };
    this.#seconds += WARM_UP_SECONDS;
  }

  /** The next slice of a hold. */
  holdSlice(load: number, seconds: number): SimulatedReading {
    if (!this.#hold) throw new Error('beginHold() comes first');
    this.#seconds += seconds;
    return this.#read(this.#hold.at, Math.log(load), seconds, this.#hold.shift);
  }

  /** Ends a hold and lets the cluster recover. */
  endHold(wasOverloaded: boolean): void {
    this.#seconds += wasOverloaded ? 15 : 5;
    this.#hold = null;
  }

  #sizeAt(size: WorldPlace): SizeWorld {
    const at = typeof size === 'number' ? this.world.sizes[size] : size;
    if (!at) throw new RangeError(`no size ${size}`);
    return at;
  }

  /** How far a run's load is off as a whole, in ln(load). */
  #drawRunShift(): number {
    return this.world.runToRun * Math.min(2, this.world.noiseFactor) * this.#draws.gaussian();
  }

  #read(at: SizeWorld, lnLoad: number, windowSeconds: number, runShift: number): SimulatedReading {
    const { world } = this;
    const { uniform, gaussian } = this.#draws;
    const drift = this.#drift.at(this.#seconds);
    const lnCap = Math.log(at.deliveryCap) + runShift + drift.lnCap;
    const beyond = Math.max(0, lnLoad - lnCap);
    const lnRelative = Math.min(lnLoad, lnCap) - Math.log(at.idleCapacity) - runShift;
    let middle = expit(idleLogitAt(at.curve, lnRelative) + drift.idleLogit);
    if (beyond > 0) middle += world.idleBump * Math.min(1, beyond / 0.1);
    const outlier = uniform() < world.outlierShare ? (uniform() < 0.5 ? -0.1 : 0.1) : 0;
    const shared = gaussian();
    const idle = at.brokerOffsets.map((offset) => {
      const mean = expit(logit(clamp(middle, 0.005, 0.99)) + offset);
      const deviation =
        world.noiseFactor * IDLE_NOISE * Math.sqrt(8 / windowSeconds) * ((mean * (1 - mean)) / 0.16) ** 0.75;
      const inCommon = world.noiseInCommon;
      const noise = Math.sqrt(inCommon) * shared + Math.sqrt(1 - inCommon) * gaussian();
      return clamp(mean + deviation * noise + outlier, 0.003, 0.997);
    });
    const lnDelivered = this.#drawDelivery(lnLoad, lnCap, beyond, windowSeconds);
    return { idle, delivered: Math.exp(lnDelivered), deliveredShare: Math.exp(lnDelivered - lnLoad) };
  }

  #drawDelivery(lnLoad: number, lnCap: number, beyond: number, windowSeconds: number): number {
    const { uniform, gaussian } = this.#draws;
    let lnDelivered = lnLoad;
    if (beyond > 0) {
      const spread =
        0.01 + 0.02 * Math.sqrt(30 / Math.max(windowSeconds, 5)) * 0.5 + 0.05 * Math.min(1, beyond / 0.7);
      const loss = 0.03 * Math.min(1, beyond / 0.3);
      lnDelivered = Math.min(lnLoad, lnCap - loss + this.world.noiseFactor * spread * gaussian());
    }
    lnDelivered -= Math.abs(0.002 * gaussian());
    // Once in a hundred trials the delivery dips for no reason of the load.
    if (uniform() < 0.01) lnDelivered += Math.log(0.9 + 0.085 * uniform());
    return lnDelivered;
  }
}

interface Hold {
  readonly at: SizeWorld;
  readonly shift: number;
}

interface Ramp {
  readonly at: SizeWorld;
  readonly shift: number;
  /** ln of the load that the cluster has followed to; null before the first step. */
  readonly lnLoad: number | null;
  readonly excess: number;
  readonly stepSeconds: number;
}

function isOver({ idle, deliveredShare }: SimulatedReading): boolean {
  return Math.min(...idle) < IDLE_LIMIT || deliveredShare < DELIVERED;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
