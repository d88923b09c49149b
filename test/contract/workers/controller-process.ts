import { type ChildProcess, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { builtFile } from '../../../src/queue/built-file.ts';

/** A controller of its own process, to be killed: dispatches the job, starts it when asked to, and waits. */
export function controllerProcess(
  link: { readonly redisUrl: string; readonly namespace: string },
  job: unknown,
  isStarted: boolean,
): ChildProcess {
  const module = pathToFileURL(builtFile('src/queue/load-queue.js'));
  const script = `const { connectQueue } = await import('${module}');
    const queue = await connectQueue('${link.redisUrl}', { namespace: '${link.namespace}' });
    const trial = await queue.dispatch([${JSON.stringify(job)}]);
    if (${isStarted}) { await trial.whenReady(15000); await trial.start(queue.clock().nowMs()); }
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
