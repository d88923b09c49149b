// CPU of a process and of all its descendants, from /proc (Linux).
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/**
 * User and system time so far, in seconds, of all threads of the process and of every process below it, ended ones that were
 * waited for included.
 */
export function cpuSecondsOfTree(pid) {
  const all = readProcesses();
  const total = (id) => {
    const one = all.get(id);
    if (!one) throw new Error(`process ${id} is gone`);
    const children = [...all].filter(([, { parent }]) => parent === id).map(([child]) => total(child));
    return children.reduce((sum, ticks) => sum + ticks, one.ticks);
  };
  return total(pid) / TICKS_PER_SECOND;
}

function readProcesses() {
  const found = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // The name in parentheses may hold anything: count from its end. Fields: see proc(5), `ppid` is the fourth.
      const text = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [utime, stime, cutime, cstime] = fields.slice(11, 15);
      found.set(Number(name), { parent: fields[1], ticks: utime + stime + cutime + cstime });
    } catch {
      // It ended between the listing and the look.
    }
  }
  return found;
}
