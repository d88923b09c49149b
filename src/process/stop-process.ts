import { isAlive, type ProcessIdentity } from './process-identity.ts';
import { waitUntil } from './wait-until.ts';

/** SIGKILL cannot be refused, but a process in a disk wait dies only after it. */
const KILL_WAIT_MS = 10_000;

/**
 * Stops processes side by side: SIGTERM, after `graceMs` SIGKILL. A pid that meanwhile belongs to another process is left
 * alone.
 * @returns those that still run in the end (none, unless the system refuses).
 */
export async function stopProcesses(
  identities: readonly ProcessIdentity[],
  graceMs: number,
): Promise<readonly ProcessIdentity[]> {
  for (const identity of identities) signal(identity, 'SIGTERM');
  if (await waitUntil(() => !identities.some(isAlive), graceMs)) return [];
  for (const identity of identities) signal(identity, 'SIGKILL');
  await waitUntil(() => !identities.some(isAlive), KILL_WAIT_MS);
  return identities.filter(isAlive);
}

function signal(identity: ProcessIdentity, name: 'SIGTERM' | 'SIGKILL'): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, name);
  } catch {
    // Gone between the look and the signal.
  }
}
