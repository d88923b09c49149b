/** The worker that `plimsoll find` forks: gets its options over IPC and ends with its parent. */
import { messageOf } from '../src/errors.ts';
import type { LocalWorkerOptions, WorkerProcessMessage } from '../src/queue/local-worker.ts';
import { type RunningWorker, startWorker } from './load-worker.ts';

let worker: RunningWorker | null = null;

function tell(message: WorkerProcessMessage): void {
  if (process.connected) process.send?.(message);
}

async function begin(options: LocalWorkerOptions): Promise<void> {
  worker = await startWorker({ ...options, onEvent: () => {} });
  tell({ kind: 'ready', workerId: worker.workerId });
}

async function end(): Promise<void> {
  await worker?.close();
  process.exit(0);
}

process.once('message', (options: LocalWorkerOptions) => {
  begin(options).catch((error: unknown) => {
    tell({ kind: 'failed', reason: messageOf(error) });
    setTimeout(() => process.exit(1), 100);
  });
});
process.on('disconnect', () => void end());
// Ctrl-C reaches the whole process group; the parent decides and disconnects.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => void end());
