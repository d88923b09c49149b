import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ShardReport } from '../boundary/trial.ts';
import { librdkafkaVersion } from '../src/kafka/rdkafka.ts';
import type { LoadJob } from '../src/queue/load-job.ts';
import { connectWorker, type ShardLink } from '../src/queue/worker-link.ts';
import type { FromChild } from './child-messages.ts';
import { keepSpareProcess, type LoadProcess, reportOf, type SpareProcess, send } from './load-process.ts';
import { machineNowMs } from './machine-clock.ts';

/** What happens in a worker, for logs and metrics. */
export type WorkerEvent =
  | { readonly kind: 'started'; readonly job: LoadJob }
  | { readonly kind: 'progress'; readonly job: LoadJob; readonly message: FromChild }
  | { readonly kind: 'finished'; readonly job: LoadJob; readonly report: ShardReport }
  | { readonly kind: 'failed'; readonly job: LoadJob; readonly reason: string };

export interface WorkerOptions {
  readonly redisUrl: string;
  readonly namespace: string;
  /** Load jobs at once; each is a process of its own. */
  readonly concurrency: number;
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
  const processShard = async (job: LoadJob, link: ShardLink): Promise<ShardReport> => {
    const load = spare.take();
    running.add(load);
    options.onEvent({ kind: 'started', job });
    try {
      const report = await runShard({ job, link, load, workerId, spare, onEvent: options.onEvent });
      options.onEvent({ kind: 'finished', job, report });
      return report;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      options.onEvent({ kind: 'failed', job, reason });
      throw error;
    } finally {
      running.delete(load);
      load.child.kill('SIGKILL');
      spare.refill();
    }
  };
  const { concurrency } = options;
  const info = { workerId, host: hostname(), pid: process.pid, concurrency, librdkafkaVersion };
  const link = await connectWorker({
    redisUrl: options.redisUrl,
    namespace: options.namespace,
    info,
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
  readonly job: LoadJob;
  readonly link: ShardLink;
  readonly load: LoadProcess;
  readonly workerId: string;
  readonly spare: SpareProcess;
  readonly onEvent: (event: WorkerEvent) => void;
}

/** Hands the job to the child, relays orders to it and its news to Redis, and waits for the report. */
async function runShard(run: ShardRun): Promise<ShardReport> {
  const { job, link, load } = run;
  let phase: 'waiting' | 'ready' | 'sending' | 'draining' = 'waiting';
  link.note(phase, null);
  const report = reportOf(load, (message) => {
    run.onEvent({ kind: 'progress', job, message });
    if (message.kind === 'ready') {
      phase = 'ready';
      link.note(phase, null);
    } else if (message.kind === 'tick') {
      phase = message.phase;
      link.note(phase, message.tick);
    }
  });
  let enforce: NodeJS.Timeout | undefined;
  const control = link.watch({
    onStart: (startAtMs) => {
      phase = 'sending';
      link.note(phase, null);
      send(load, { kind: 'start', startAtMs });
    },
    onStop: (reason) => {
      send(load, { kind: 'stop' });
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
    return await report;
  } finally {
    clearTimeout(enforce);
    control.close();
  }
}
