/** The worker that `plimsoll find` forks: gets its options over IPC and ends with its parent. */
import { messageOf } from '../src/errors.ts';
import { roomForChildren, usualChildren } from '../src/process/room-for-children.ts';
import type { LocalWorkerOptions, WorkerProcessMessage } from '../src/queue/local-worker.ts';
import { calibrate } from './calibration.ts';
import { type RunningWorker, startWorker } from './load-worker.ts';

let worker: RunningWorker | null = null;

function tell(message: WorkerProcessMessage): void {
  if (process.connected) process.send?.(message);
}

async function begin(options: LocalWorkerOptions): Promise<void> {
  const { calibrationFile, redisUrl, namespace } = options;
  // A worker that cannot measure itself works all the same; nobody knows what it can offer.
  const capacity = calibrationFile ? await calibrate(calibrationFile, () => {}).catch(() => null) : null;
  const concurrency = options.concurrency ?? usualChildren(roomForChildren());
  worker = await startWorker({ redisUrl, namespace, concurrency, capacity, onEvent: () => {} });
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
