import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { identifyProcess, type ProcessIdentity } from './process-identity.ts';

/**
 * Finds the processes that have exactly `argument` among their arguments. Used for what was started but never written down.
 */
export function findProcessesByArgument(argument: string): readonly ProcessIdentity[] {
  const pids = process.platform === 'linux' ? pidsFromProc(argument) : pidsFromPs(argument);
  return pids
    .filter((pid) => pid !== process.pid)
    .map(identifyProcess)
    .filter((identity) => identity !== null);
}

function pidsFromProc(argument: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(argument);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function pidsFromPs(argument: string): number[] {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.endsWith(` ${argument}`) || line.includes(` ${argument} `))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => Number.isSafeInteger(pid));
}
