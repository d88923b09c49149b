import { seededRandom } from '../../boundary/random.ts';

/** How the idle of a made-up broker goes, look by look, one a second. */
export interface LookScene {
  /** Idle that it comes to rest at. */
  readonly idle: number;
  readonly deviation: number;
  /** Correlation of neighbouring looks. */
  readonly correlation: number;
  /** The load moves idle from 0.9 to where it rests with this time constant, s; 0 = at once. */
  readonly lagSeconds: number;
  readonly looks: number;
  readonly seed: number;
}

export interface SimulatedLooks {
  readonly looks: readonly number[];
  /** What the looks hold of the way to rest: the error of a mean over them. */
  readonly bias: readonly number[];
}

const IDLE_BEFORE = 0.9;

/** Looks of a broker whose idle swings as an autoregressive series around where the load puts it. */
export function simulatedLooks(scene: LookScene): SimulatedLooks {
  const { idle, deviation, correlation, lagSeconds, seed } = scene;
  const random = seededRandom(seed);
  const bias = Array.from({ length: scene.looks }, (_, i) => (IDLE_BEFORE - idle) * lagOf(i, lagSeconds));
  let swing = deviation * normalFrom(random);
  const looks = bias.map((extra) => {
    swing = correlation * swing + Math.sqrt(1 - correlation ** 2) * deviation * normalFrom(random);
    return Math.min(1, Math.max(0, idle + extra + swing));
  });
  return { looks, bias };
}

/** Mean of exp(-t / lag) over second i. */
function lagOf(i: number, lagSeconds: number): number {
  if (lagSeconds === 0) return 0;
  return lagSeconds * (Math.exp(-i / lagSeconds) - Math.exp(-(i + 1) / lagSeconds));
}

/** Sum of twelve uniform numbers: near enough to normal for what is asked of it. */
function normalFrom(random: ReturnType<typeof seededRandom>): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += random.next() / 2 ** 32;
  return sum;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
