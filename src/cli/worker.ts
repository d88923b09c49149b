import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { startWorker } from '../../workers/load-worker.ts';
import { serveWorkerMetrics } from '../../workers/worker-metrics.ts';
import { PlimsollError } from '../errors.ts';

export interface WorkerDefaults {
  /** Where a running `plimsoll find` leaves `redis.json` with its private Redis. */
  readonly home: string;
  readonly namespace: string;
  /** REDIS_URL of the environment, if any. */
  readonly redisUrl?: string;
}

interface WorkerFlags {
  readonly redis?: string;
  readonly concurrency: number;
  readonly metricsPort?: number;
}

/** Adds `plimsoll worker`. `defaults` is called when the command runs. */
export function addWorkerCommand(program: Command, defaults: () => WorkerDefaults): void {
  program
    .command('worker')
    .description('join the load workers, from this or another machine, until Ctrl-C')
    .option('--redis <URL>', 'Redis of the run (default: REDIS_URL, else the one of a running find)')
    .option('--concurrency <NUMBER>', 'load jobs at once', parseCount, 1)
    .option('--metrics-port <PORT>', "serve the worker's own metrics on this loopback port", parsePort)
    .action((flags: WorkerFlags) => runWorker(flags, defaults()));
}

async function runWorker(flags: WorkerFlags, defaults: WorkerDefaults): Promise<void> {
  const redisUrl = flags.redis ?? defaults.redisUrl ?? redisOfHome(defaults.home);
  const metrics = flags.metricsPort === undefined ? null : await serveWorkerMetrics(flags.metricsPort);
  const worker = await startWorker({
    redisUrl,
    namespace: defaults.namespace,
    concurrency: flags.concurrency,
    onEvent: (event) => {
      metrics?.observe(event);
      if (event.kind === 'progress') return;
      const detail = event.kind === 'failed' ? `: ${event.reason}` : '';
      process.stdout.write(
        `${event.kind} shard ${event.job.shard} (${event.job.producers} producers)${detail}\n`,
      );
    },
  });
  process.stdout.write(`worker ${worker.workerId} waits for load jobs; Ctrl-C ends it\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await worker.close();
  await metrics?.close();
}

function redisOfHome(home: string): string {
  const file = join(home, 'redis.json');
  const content = readJson(file);
  if (typeof content === 'object' && content !== null && 'url' in content) return String(content.url);
  throw new PlimsollError(
    'CONFIG_INVALID',
    `no Redis is known (${file} does not name one): give --redis URL or set REDIS_URL`,
  );
}

/** null when the file is missing, or half written by a run that was killed. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function parsePort(text: string): number {
  const port = parseCount(text);
  if (port > 65_535) throw new InvalidArgumentError('a port is at most 65535');
  return port;
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('a whole number of at least 1 is needed');
  return count;
}
