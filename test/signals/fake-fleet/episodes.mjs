// When which broker misbehaves how: fixed by a seed.
import { MISBEHAVIOURS } from './misbehaviour.mjs';

/** `down`: connection refused. `restart`: down for a moment, then every counter from zero. */
export const EPISODE_KINDS = [...Object.keys(MISBEHAVIOURS), 'down', 'restart'];

const SHORTEST_MS = 2_000;
const LONGEST_MS = 8_000;

/** Numbers in 0..1, always the same for a seed (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Episodes of one broker, one after another without end: calm for about `calmMs`, then 2-8 s of one kind. Kinds go round,
 * each broker beginning with another, so that all occur among a few brokers.
 */
export function* episodesOf(brokerIndex, { seed, calmMs }) {
  const random = randomFrom(seed * 1_000 + brokerIndex);
  let atMs = 0;
  for (let n = 0; ; n++) {
    atMs += calmMs * (0.5 + random());
    const forMs = SHORTEST_MS + (LONGEST_MS - SHORTEST_MS) * random();
    yield { kind: EPISODE_KINDS[(brokerIndex + n * 5) % EPISODE_KINDS.length], atMs, endMs: atMs + forMs };
    atMs += forMs;
  }
}
