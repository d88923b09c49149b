import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PlimsollError } from '../errors.ts';
import { findProcessesByArgument } from '../process/find-processes.ts';
import { acquireLock } from '../process/lock-file.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';
import { stopProcesses } from '../process/stop-process.ts';
import { lockFile, nodePlace, OWNED_ENTRY } from './cluster-layout.ts';
import { readClusterState } from './cluster-state.ts';

/** The data is thrown away, so nothing is worth a longer controlled shutdown. */
const GRACE_MS = 1_500;
const LOCK_WAIT_MS = 120_000;

/**
 * Takes the local cluster in `directory` down: ends its processes, also those of a damaged or half written state, and removes
 * its data, logs and state; other files in the directory stay.
 * @returns whether there was one, or anything of one.
 * @throws PlimsollError CLUSTER_BUSY when another process is starting it and does not finish.
 */
export async function stopLocalCluster(
  directory: string,
  onProgress: (line: string) => void = () => {},
): Promise<boolean> {
  const absolute = resolve(directory);
  if (!existsSync(absolute)) return false;
  const lock = await acquireLock(lockFile(absolute), LOCK_WAIT_MS, (pid) =>
    onProgress(`Process ${pid} is starting or stopping this cluster; waiting for it ...`),
  );
  if (lock === null)
    throw new PlimsollError('CLUSTER_BUSY', `Another process keeps the cluster in ${absolute} locked.`);
  let wasThere: boolean;
  try {
    wasThere = await removeCluster(absolute);
  } finally {
    lock.release();
  }
  removeIfEmpty(absolute);
  return wasThere;
}

/**
 * The same for a caller that holds the lock.
 * @param extent `all but logs` leaves the logs of a failed start for reading.
 */
export async function removeCluster(
  directory: string,
  extent: 'everything' | 'all but logs' = 'everything',
): Promise<boolean> {
  const processes = clusterProcesses(directory);
  const survivors = await stopProcesses(processes, GRACE_MS);
  if (survivors.length > 0) {
    const pids = survivors.map(({ pid }) => pid).join(', ');
    throw new PlimsollError(
      'CLUSTER_FAILED',
      `Cannot end the Kafka process ${pids} of ${directory}; end it by hand.`,
    );
  }
  const entries = readdirSync(directory).filter(
    (name) => OWNED_ENTRY.test(name) && (extent === 'everything' || name !== 'logs'),
  );
  for (const entry of entries) rmSync(join(directory, entry), { recursive: true, force: true });
  return processes.length > 0 || entries.length > 0;
}

/** Removes a directory that nothing is left in. */
export function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Not empty: it holds more than the cluster's things.
  }
}

function clusterProcesses(directory: string): readonly ProcessIdentity[] {
  const state = readClusterState(directory);
  const written =
    state === null || state === 'damaged'
      ? []
      : [state.controller.process, ...state.brokers.map((broker) => broker.process)];
  // A start that was killed between the spawn and the write left processes that only their arguments tell.
  const found = readdirSync(directory)
    .map((name) => /^(controller|broker)(?:-(\d+))?$/.exec(name))
    .filter((match) => match !== null)
    .map((match) =>
      nodePlace(directory, match[1] === 'broker' ? 'broker' : 'controller', Number(match[2] ?? 0)),
    )
    .flatMap((place) => findProcessesByArgument(place.propertiesFile));
  const all = [...written.filter((process) => process !== null), ...found];
  return [...new Map(all.map((process) => [process.pid, process])).values()];
}
