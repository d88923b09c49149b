import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process beyond doubt: the number alone may have been given to another one since. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** When the process started, as its system counts it; opaque, only compared. Empty where it cannot be told. */
  readonly start: string;
}

export type Liveness = 'alive' | 'gone' | 'elsewhere';

/** Identifies the process that this code runs in. */
export function ownIdentity(): ProcessIdentity {
  return identityOf(process.pid);
}

/** Identifies a process of this machine as it is now. */
export function identityOf(pid: number): ProcessIdentity {
  return { host: hostname(), pid, start: startOf(pid) ?? '' };
}

/** Tells whether a process still runs: same number and same start. Of another machine's process nothing is known. */
export function livenessOf(identity: ProcessIdentity): Liveness {
  if (identity.host !== hostname()) return 'elsewhere';
  return startOf(identity.pid) === identity.start ? 'alive' : 'gone';
}

/** Reads when a process started; null when there is none (a zombie counts as none). */
function startOf(pid: number): string | null {
  return process.platform === 'linux' ? linuxStartOf(pid) : psStartOf(pid);
}

/**
 * Boot id and start time in clock ticks since boot: field 22 of /proc/PID/stat (proc_pid_stat(5)). The name in
 * field 2 may hold spaces and brackets, so fields are counted from the last closing one.
 */
function linuxStartOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${bootId} ${fields[19] ?? ''}`;
  } catch {
    return null;
  }
}

function psStartOf(pid: number): string | null {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/bin:/usr/bin' };
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim() || null;
  } catch {
    return null;
  }
}
