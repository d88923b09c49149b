import { hostname } from 'node:os';
import { identifyProcess, isAlive } from '../process/process-identity.ts';

/** The process that a run belongs to, on whatever machine it is. */
export interface RunOwner {
  readonly host: string;
  readonly pid: number;
  /** When the process started, which tells it from a later one of the same number; null where it cannot be told. */
  readonly startedAt: string | null;
}

/** `unknown`: on another machine, or (the first process of a container) without an identity. */
export type OwnerLiveness = 'alive' | 'gone' | 'unknown';

/** Names a process of this machine as a run's owner; default: the process that this code runs in. */
export function ownerHere(pid: number = process.pid): RunOwner {
  return { host: hostname(), pid, startedAt: identifyProcess(pid)?.startedAt ?? null };
}

/** Tells whether an owner still runs. */
export function ownerLiveness({ host, pid, startedAt }: RunOwner): OwnerLiveness {
  if (host !== hostname() || startedAt === null) return 'unknown';
  return isAlive({ pid, startedAt }) ? 'alive' : 'gone';
}
