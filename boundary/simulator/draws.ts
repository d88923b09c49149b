/** Repeatable draws for simulations. Equal seeds give equal sequences. */
export interface Draws {
  /** Uniform in [0, 1). */
  uniform(): number;
  /** Uniform in [low, high). */
  between(low: number, high: number): number;
  /** Normal with mean 0 and standard deviation 1. */
  gaussian(): number;
}

/** Mulberry32 (Tommy Ettinger) with Box-Muller normals, two uniforms each: any number is a seed, modulo 2^32. */
export function drawsFrom(seed: number): Draws {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    uniform,
    between: (low, high) => low + uniform() * (high - low),
    gaussian: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}

/** 2 pi to two digits, for random phases: kept so that recorded worlds stay as they are. */
export const TURN = 6.28;
