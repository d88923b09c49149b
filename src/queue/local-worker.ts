import { fork } from 'node:child_process';
import { messageOf, PlimsollError } from '../errors.ts';
import { builtFile } from './built-file.ts';
import { crashLine } from './crash-line.ts';

export interface LocalWorkerOptions {
  readonly redisUrl: string;
  readonly namespace: string;
  /** Load jobs that it runs at once; null: as many as cores and memory of this machine allow. */
  readonly concurrency: number | null;
  /** File with what this machine can offer, made when it is not there or old; missing: the worker does not measure it. */
  readonly calibrationFile?: string;
}

/** A measurement of the machine takes 5 s, on a busy one several times that. */
const READY_TIMEOUT_MS = 50_000;
const STOP_MS = 3_000;

/** What `workers/worker-process.ts` says to the process that forked it. */
export type WorkerProcessMessage =
  | { readonly kind: 'ready'; readonly workerId: string }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Forks a worker on this machine, which ends when this process ends. It writes nothing to the terminal.
 * @throws PlimsollError WORKER_MISSING when it is not ready in 50 s.
 */
export async function startLocalWorker(
  options: LocalWorkerOptions,
): Promise<{ readonly workerId: string; stop(): Promise<void> }> {
  const child = fork(builtFile('workers/worker-process.js'), [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-2_000);
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    if (child.connected) child.disconnect();
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(force);
  };
  try {
    const workerId = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`not ready after ${READY_TIMEOUT_MS / 1_000} s`)),
        READY_TIMEOUT_MS,
      );
      child.once('message', (message: WorkerProcessMessage) => {
        clearTimeout(timer);
        if (message.kind === 'ready') resolve(message.workerId);
        else reject(new Error(message.reason));
      });
      child.once('error', reject);
      exited.then(() => reject(new Error(`it ended at once ${crashLine(stderr)}`)));
      // The URL may hold a password: over IPC, not on the command line where everybody can read it.
      child.send(options, (error) => error && reject(error));
    });
    return { workerId, stop };
  } catch (error) {
    await stop();
    throw new PlimsollError('WORKER_MISSING', `the local worker did not start: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
