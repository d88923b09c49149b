import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { formatBytes } from '../../boundary/units.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';

/** Database, samples and reports of a long run stay far below. */
const HOME_BYTES = 500_000_000;
/** What brokers should have free when nobody can say how much a run will write. */
const UNKNOWN_BUDGET_BYTES = 5_000_000_000;

/** Checks the disk of PLIMSOLL_HOME. */
export function checkHomeDisk(home: string): Promise<CheckResult> {
  return checkDisk('disk of the home folder', home, HOME_BYTES, 'for database and reports');
}

/** Checks the disk of a cluster on this machine against the bytes that the run may write, replicas included. */
export async function checkClusterDisk(directory: string, byteBudget: number | null): Promise<CheckResult> {
  const name = 'disk of the brokers';
  if (byteBudget !== null) return checkDisk(name, directory, byteBudget, 'for what the run may write');
  const checked = await checkDisk(
    name,
    directory,
    UNKNOWN_BUDGET_BYTES,
    'as long as load.maxMegabytesPerSecond is not set',
  );
  return checked.status === 'fail' ? { ...checked, status: 'warn' } : checked;
}

async function checkDisk(
  name: string,
  folder: string,
  neededBytes: number,
  why: string,
): Promise<CheckResult> {
  const place = existingParent(resolve(folder));
  try {
    const { bavail, bsize } = await statfs(place);
    return judgeDisk(name, bavail * bsize, neededBytes, why);
  } catch (error) {
    return warn(
      name,
      `free space of ${place} cannot be read: ${String(error)}`,
      `see that ${place} is readable`,
    );
  }
}

export function judgeDisk(name: string, freeBytes: number, neededBytes: number, why: string): CheckResult {
  const detail = `${formatBytes(freeBytes)} free, ${formatBytes(neededBytes)} wanted ${why}`;
  if (freeBytes >= neededBytes) return ok(name, detail);
  return fail(
    name,
    detail,
    'free some space, choose another folder, or offer less (load.maxMegabytesPerSecond)',
  );
}

/** The folder itself may not be there yet. */
function existingParent(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existingParent(dirname(folder));
}
