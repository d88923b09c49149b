import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { WorkerCapacity } from '../boundary/fleet-capacity.ts';
import { librdkafkaVersion } from '../src/kafka/rdkafka.ts';
import type { FinishedShard, ShardJobData, ShardProgress } from '../src/queue/load-job.ts';
import { NO_TICKS, type ShardTicks } from '../src/queue/shard-job.ts';
import { connectWorker, type ShardLink } from '../src/queue/worker-link.ts';
import type { FromChild } from './child-messages.ts';
import { keepSpareProcess, type LoadProcess, reportOf, type SpareProcess, send } from './load-process.ts';
import { machineNowMs } from './machine-clock.ts';

/** What happens in a worker, for logs and metrics. */
export type WorkerEvent =
  | { readonly kind: 'started'; readonly job: ShardJobData }
  | { readonly kind: 'progress'; readonly job: ShardJobData; readonly message: FromChild }
  | { readonly kind: 'finished'; readonly job: ShardJobData; readonly finished: FinishedShard }
  | { readonly kind: 'failed'; readonly job: ShardJobData; readonly reason: string };

export interface WorkerOptions {
  readonly redisUrl: string;
  readonly namespace: string;
  /** Load jobs at once; each is a process of its own. */
  readonly concurrency: number;
  /** What this machine can offer; null: not measured. */
  readonly capacity: WorkerCapacity | null;
  readonly onEvent: (event: WorkerEvent) => void;
}

export interface RunningWorker {
  readonly workerId: string;
  /** Ends the load children and leaves the queue, within about 2 s. */
  close(): Promise<void>;
}

/** A stopped child has its drain time, then a little more for the report. */
const REPORT_SPARE_MS = 4_000;

/** Joins the queue as a worker. @throws PlimsollError REDIS_UNREACHABLE */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const workerId = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const spare = keepSpareProcess();
  const running = new Set<LoadProcess>();
  const processShard = async (job: ShardJobData, link: ShardLink): Promise<FinishedShard> => {
    const load = spare.take();
    running.add(load);
    options.onEvent({ kind: 'started', job });
    try {
      const finished = await runShard({ job, link, load, workerId, spare, onEvent: options.onEvent });
      options.onEvent({ kind: 'finished', job, finished });
      return finished;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      options.onEvent({ kind: 'failed', job, reason });
      throw error;
    } finally {
      running.delete(load);
      load.child.kill('SIGKILL');
      if (running.size === 0) spare.refill();
    }
  };
  const { concurrency, capacity } = options;
  const identity = { workerId, host: hostname(), pid: process.pid, librdkafkaVersion };
  const link = await connectWorker({
    redisUrl: options.redisUrl,
    namespace: options.namespace,
    info: { ...identity, concurrency, capacity },
    processShard,
  }).catch((error: unknown) => {
    spare.close();
    throw error;
  });
  return {
    workerId,
    close: async () => {
      spare.close();
      for (const load of running) load.child.kill('SIGKILL');
      await link.close();
    },
  };
}

interface ShardRun {
  readonly job: ShardJobData;
  readonly link: ShardLink;
  readonly load: LoadProcess;
  readonly workerId: string;
  readonly spare: SpareProcess;
  readonly onEvent: (event: WorkerEvent) => void;
}

/** Hands the job to the child, relays orders to it and its news to Redis, and waits for the report. */
async function runShard(run: ShardRun): Promise<FinishedShard> {
  const { job, link, load } = run;
  let phase: ShardProgress['phase'] = 'waiting';
  const note = (next: ShardProgress['phase'], ticks: ShardTicks = NO_TICKS) => {
    phase = next;
    link.note(phase, ticks);
  };
  note('waiting');
  const report = reportOf(load, (message) => {
    run.onEvent({ kind: 'progress', job, message });
    if (message.kind === 'ready') note('ready');
    else if (message.kind === 'tick') note(message.phase, { ...NO_TICKS, lastTick: message.tick });
    else if (message.kind === 'read') note('sending', { ...NO_TICKS, lastRead: message.tick });
  });
  let enforce: NodeJS.Timeout | undefined;
  const control = link.watch({
    onStart: (startAtMs) => {
      note('sending');
      send(load, { kind: 'start', startAtMs });
    },
    onStop: (reason, window) => {
      send(load, { kind: 'stop', window });
      // A child that was never started has nothing to drain.
      const patienceMs =
        phase === 'waiting' || phase === 'ready' ? 500 : job.drainTimeoutMs + REPORT_SPARE_MS;
      run.onEvent({ kind: 'progress', job, message: { kind: 'failed', reason } });
      enforce = setTimeout(() => load.child.kill('SIGKILL'), patienceMs);
    },
  });
  send(load, {
    kind: 'job',
    job,
    workerId: run.workerId,
    clockOffsetMs: link.clock.nowMs() - machineNowMs(),
  });
  try {
    return withClockError(await report, link.clock.errorMs);
  } finally {
    clearTimeout(enforce);
    control.close();
  }
}

/** The child has its clock from here, and does not know how good it is. */
function withClockError(finished: FinishedShard, clockErrorMs: number): FinishedShard {
  return finished.kind === 'report'
    ? { kind: 'report', report: { ...finished.report, clockErrorMs } }
    : { kind: 'readers', report: { ...finished.report, clockErrorMs } };
}
