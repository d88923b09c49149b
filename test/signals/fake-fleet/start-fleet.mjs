// Starts a fleet of fake brokers in a process of its own.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const FLEET = new URL('fleet.mjs', import.meta.url).pathname;

/**
 * @param plan see fleet.mjs.
 * @param onLog told each thing that a broker did besides serving a good page.
 * @returns the brokers (id, idle ratio, time of boot, URL) and `stop`.
 */
export async function startFleet(plan, onLog = () => {}) {
  const child = spawn(process.execPath, [FLEET, JSON.stringify(plan)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const lines = createInterface({ input: child.stdout });
  const first = new Promise((resolve, reject) => {
    lines.on('line', (text) => {
      const line = JSON.parse(text);
      if (line.kind === 'fleet') resolve(line.brokers);
      else onLog(line);
    });
    child.once('exit', (code) => reject(new Error(`the fleet ended with ${code}`)));
  });
  return {
    brokers: await first,
    pid: child.pid,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
