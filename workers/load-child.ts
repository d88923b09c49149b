/**
 * The load child: one process, one job, then it ends (librdkafka's memory does not come back otherwise). Its worker
 * talks to it over IPC. It never outlives its parent or its schedule.
 */
import { scheduleMs } from '../boundary/load-schedule.ts';
import type { Window } from '../boundary/trial.ts';
import { messageOf } from '../src/errors.ts';
import type { FinishedShard } from '../src/queue/load-job.ts';
import type { FromChild, ToChild } from './child-messages.ts';
import { type ChildShard, openChildShard } from './child-shard.ts';
import { machineNowMs } from './machine-clock.ts';

/** Beyond schedule and drain: time for the last statistics and the report. */
const HARD_END_MS = 2_000;

let shard: ChildShard | null = null;
/** The stop that came before the shard was there. */
let earlyStop: { readonly window: Window | null } | null = null;

/** Ends the process now. SIGKILL, since exit handlers of the addon wait for brokers that may be gone. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
}

function tell(message: FromChild, then?: () => void): void {
  if (!process.connected) return;
  process.send?.(message, undefined, undefined, () => then?.());
}

function fail(error: unknown): void {
  tell({ kind: 'failed', reason: messageOf(error) }, endNow);
}

async function prepare(message: ToChild & { kind: 'job' }): Promise<void> {
  const { job, workerId, clockOffsetMs } = message;
  const patience = setTimeout(() => fail(new Error('no start came in time')), job.startTimeoutMs);
  shard = await openChildShard(job, { workerId, clockOffsetMs });
  start = (startAtMs) => {
    clearTimeout(patience);
    const endRunMs = startAtMs + scheduleMs(job.schedule) + job.drainTimeoutMs + HARD_END_MS;
    setTimeout(endNow, Math.max(HARD_END_MS, endRunMs - clockOffsetMs - machineNowMs()));
    return shard?.run(startAtMs, tell);
  };
  if (earlyStop) shard.stop(earlyStop.window);
  tell({ kind: 'ready' });
}

let start: (startAtMs: number) => Promise<FinishedShard> | undefined = () => undefined;

async function begin(startAtMs: number): Promise<void> {
  const running = start(startAtMs);
  start = () => undefined;
  const finished = await running;
  if (finished) tell(finished, endNow);
}

process.on('disconnect', endNow);
// Ctrl-C reaches the whole process group; the worker decides what it means.
process.on('SIGINT', () => {});
process.on('SIGTERM', endNow);
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
process.on('message', (message: ToChild) => {
  if (message.kind === 'job') prepare(message).catch(fail);
  else if (message.kind === 'start') begin(message.startAtMs).catch(fail);
  else {
    earlyStop = { window: message.window };
    shard?.stop(message.window);
  }
});
tell({ kind: 'warm' });
