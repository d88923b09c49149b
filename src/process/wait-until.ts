import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks `isTrue` every `intervalMs` until it says yes.
 * @returns whether it did within `timeoutMs`.
 */
export async function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs: number,
  intervalMs = 50,
): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    if (await isTrue()) return true;
    if (performance.now() >= endMs) return false;
    await sleep(intervalMs);
  }
}
