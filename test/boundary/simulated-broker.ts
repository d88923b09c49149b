import type { BrokerReading, HandlerIdle } from '../../boundary/broker-reading.ts';

/** How a made-up broker's handlers spend their time, and how its meter and its page behave. */
export interface BrokerLife {
  /** Idle of the handlers in each slot of `SLOT_MS` since the process started, 0..1. */
  readonly idle: readonly number[];
  /** The meter starts this long after the process, ms. */
  readonly meterStartMs: number;
  /** Lateness of each tick in turn, ms. */
  readonly tickLateMs: readonly number[];
  /** Idle is booked at the ends of waits this long, ms. */
  readonly waitMs: number;
}

export const SLOT_MS = 100;
const TICK_MS = 5_000;

/** A broker whose true idle is known at every moment; times are ms since its process started. */
export class SimulatedBroker {
  readonly #life: BrokerLife;
  /** True idle from the process's start to the end of each slot, ms. */
  readonly #idleUntil: number[] = [0];

  constructor(life: BrokerLife) {
    this.#life = life;
    for (const idle of life.idle) this.#idleUntil.push((this.#idleUntil.at(-1) ?? 0) + idle * SLOT_MS);
  }

  /** True mean idle between two moments, 0..1. */
  trueIdle(fromMs: number, toMs: number): number {
    return (this.#idleMs(toMs) - this.#idleMs(fromMs)) / (toMs - fromMs);
  }

  /** A look that took `scrapeMs` around `atMs`, its values of the moment `off` (-0.5..0.5) of that time away. */
  read(atMs: number, scrapeMs: number, off: number): BrokerReading {
    return { ...BLANK, atMs, scrapeMs, idle: this.#meter(atMs + off * scrapeMs) };
  }

  #meter(atMs: number): HandlerIdle {
    const idleMs = this.#bookedMs(atMs) - this.#bookedMs(this.#life.meterStartMs);
    const [oneMinuteRate, fiveMinuteRate, fifteenMinuteRate] = [1, 5, 15].map((m) => this.#rate(atMs, m));
    return {
      kind: 'request handlers',
      pool: 'broker',
      countNs: idleMs * 1e6,
      meanRate: idleMs / (atMs - this.#life.meterStartMs),
      oneMinuteRate: oneMinuteRate ?? 0,
      fiveMinuteRate: fiveMinuteRate ?? 0,
      fifteenMinuteRate: fifteenMinuteRate ?? 0,
      processAgeMs: atMs,
    };
  }

  /** Yammer's EWMA, tick by tick: the first tick sets it. */
  #rate(atMs: number, minutes: number): number {
    const newest = 1 - Math.exp(-TICK_MS / (minutes * 60_000));
    let rate = 0;
    let tickedMs = this.#life.meterStartMs;
    for (let tick = 1; ; tick++) {
      const late = this.#life.tickLateMs[tick % this.#life.tickLateMs.length] ?? 0;
      const tickMs = this.#life.meterStartMs + tick * TICK_MS + late;
      if (tickMs > atMs) return rate;
      const value = (this.#bookedMs(tickMs) - this.#bookedMs(tickedMs)) / TICK_MS;
      rate = tick === 1 ? value : rate + newest * (value - rate);
      tickedMs = tickMs;
    }
  }

  #bookedMs(atMs: number): number {
    return this.#idleMs(Math.floor(atMs / this.#life.waitMs) * this.#life.waitMs);
  }

  #idleMs(atMs: number): number {
    const slot = Math.floor(atMs / SLOT_MS);
    return (this.#idleUntil[slot] ?? Number.NaN) + (atMs - slot * SLOT_MS) * (this.#life.idle[slot] ?? 0);
  }
}

const BLANK = {
  kind: 'reading',
  brokerId: 1,
  underReplicatedPartitions: 0,
  underMinIsrPartitions: 0,
  offlinePartitions: 0,
  isrShrinks: null,
  isrExpands: null,
  bytesIn: null,
  bytesOut: null,
  replicationBytesIn: null,
  messagesIn: null,
  requests: null,
  requestQueueSize: null,
  produceP99Ms: null,
  networkIdle: null,
  processCpuSeconds: null,
  gcSeconds: null,
} as const satisfies Partial<BrokerReading>;
