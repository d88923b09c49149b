import { execFileSync } from 'node:child_process';

/** Live children of a process whose command line names `file`. */
export function childrenOf(parent: number, file: string): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, ...args]) => Number(ppid) === parent && args.join(' ').includes(file))
    .map(([pid]) => Number(pid));
}

/** A process exists, and is no zombie. */
export function isBusy(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}

/** The process of a worker, which its id names. */
export function pidOf(workerId: string): number {
  return Number(/-(\d+)-[0-9a-f]{8}$/.exec(workerId)?.[1]);
}
