import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Where the cgroups of CPU are mounted: version 2, and the names that version 1 goes by. */
const MOUNTS_2 = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'];
const MOUNTS_1 = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup/cpu,cpuacct'];

/** Reads a small file; null when it is not there. */
export type FileReader = (path: string) => string | null;

/** Cores that this process may use, a real number: its affinity, and the quota of its cgroups where there is one. */
export function allowedCores(): number {
  return Math.min(availableParallelism(), quotaCores(readIfThere) ?? Number.POSITIVE_INFINITY);
}

/**
 * The quota of CPU that the cgroups of this process leave it, in cores: the least of its own and of those above it. The
 * mount itself is always looked at, since inside a container the path may be the host's.
 * @returns null without a quota, or where there are no cgroups.
 */
export function quotaCores(read: FileReader): number | null {
  const quotas: number[] = [];
  for (const line of (read('/proc/self/cgroup') ?? '').split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) continue;
    const mounts = controllers === '' ? MOUNTS_2 : controllers.split(',').includes('cpu') ? MOUNTS_1 : [];
    for (const folder of mounts.flatMap((mount) => foldersUpTo(mount, path))) {
      const quota = controllers === '' ? quotaOf2(folder, read) : quotaOf1(folder, read);
      if (quota !== null) quotas.push(quota);
    }
  }
  return quotas.length === 0 ? null : Math.min(...quotas);
}

function foldersUpTo(mount: string, path: string): string[] {
  const names = path.split('/').filter((name) => name !== '');
  return Array.from({ length: names.length + 1 }, (_, depth) => [mount, ...names.slice(0, depth)].join('/'));
}

/** cpu.max: `max 100000` or `50000 100000`, microseconds of CPU in each period. */
function quotaOf2(folder: string, read: FileReader): number | null {
  const [quotaUs, periodUs] = (read(`${folder}/cpu.max`) ?? '').trim().split(' ').map(Number);
  return ratio(quotaUs, periodUs);
}

/** A quota of -1 is none. */
function quotaOf1(folder: string, read: FileReader): number | null {
  return ratio(
    Number(read(`${folder}/cpu.cfs_quota_us`) ?? Number.NaN),
    Number(read(`${folder}/cpu.cfs_period_us`) ?? Number.NaN),
  );
}

function ratio(quotaUs = Number.NaN, periodUs = Number.NaN): number | null {
  return quotaUs > 0 && periodUs > 0 ? quotaUs / periodUs : null;
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
