import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type CapacityRate, fleetCapacity, type WorkerCapacity } from '../../boundary/fleet-capacity.ts';
import { offerText } from '../../boundary/fleet-text.ts';
import { calibrate, measureInChild } from '../../workers/calibration.ts';
import { startWorker } from '../../workers/load-worker.ts';
import { serveWorkerMetrics } from '../../workers/worker-metrics.ts';
import { messageOf, PlimsollError } from '../errors.ts';
import { roomForChildren, usualChildren } from '../process/room-for-children.ts';
import { calibrationFile } from '../queue/calibration-file.ts';
import { capacityTable } from './capacity-table.ts';

export interface WorkerDefaults {
  /** Where a running `plimsoll find` leaves `redis.json` with its private Redis. */
  readonly home: string;
  readonly namespace: string;
  /** REDIS_URL of the environment, if any. */
  readonly redisUrl?: string;
}

interface WorkerFlags {
  readonly redis?: string;
  readonly concurrency?: number;
  readonly metricsPort?: number;
  readonly calibrate?: boolean;
  readonly noop?: boolean;
}

/** Adds `plimsoll worker`. `defaults` is called when the command runs. */
export function addWorkerCommand(program: Command, defaults: () => WorkerDefaults): void {
  program
    .command('worker')
    .description('join the load workers, from this or another machine, until Ctrl-C')
    .option('--redis <URL>', 'Redis of the run (default: REDIS_URL, else the one of a running find)')
    .option(
      '--concurrency <NUMBER>',
      'load jobs at once (default: one for each core, as memory allows)',
      parseCount,
    )
    .option('--metrics-port <PORT>', "serve the worker's own metrics on this loopback port", parsePort)
    .option('--calibrate', 'measure what this machine can offer, print it, and end')
    .option('--noop', "likewise for the generator alone, without Kafka's client")
    .action((flags: WorkerFlags) =>
      flags.calibrate || flags.noop ? printCapacity(flags) : runWorker(flags, defaults()),
    );
}

async function printCapacity({ noop }: WorkerFlags): Promise<void> {
  const rates = await measured(noop ? 'generator' : 'client');
  process.stdout.write(capacityTable(rates, roomForChildren()));
}

async function measured(kind: 'client' | 'generator'): Promise<readonly CapacityRate[]> {
  try {
    return await measureInChild(kind);
  } catch (error) {
    const text = `this machine could not be measured (${messageOf(error)}): try again when it is less busy`;
    throw new PlimsollError('INTERNAL', text, { cause: error });
  }
}

async function runWorker(flags: WorkerFlags, defaults: WorkerDefaults): Promise<void> {
  const redisUrl = flags.redis ?? defaults.redisUrl ?? redisOfHome(defaults.home);
  const concurrency = flags.concurrency ?? usualChildren(roomForChildren());
  // Before it joins: from then on a job may come, and neither must disturb the other.
  const capacity = await ownCapacity(concurrency);
  const metrics =
    flags.metricsPort === undefined ? null : await serveWorkerMetrics(flags.metricsPort, capacity);
  const worker = await startWorker({
    redisUrl,
    namespace: defaults.namespace,
    concurrency,
    capacity,
    onEvent: (event) => {
      metrics?.observe(event);
      if (event.kind === 'progress') return;
      const detail = event.kind === 'failed' ? `: ${event.reason}` : '';
      const { job } = event;
      const clients =
        job.kind === 'produce' ? `${job.producers} producers` : `${job.members.length} consumers`;
      process.stdout.write(`${event.kind} shard ${job.shard} (${clients})${detail}\n`);
    },
  });
  process.stdout.write(`worker ${worker.workerId} waits for load jobs; Ctrl-C ends it\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await worker.close();
  await metrics?.close();
}

/** A worker that cannot measure itself joins all the same; nobody knows what it can offer. */
async function ownCapacity(concurrency: number): Promise<WorkerCapacity | null> {
  try {
    const capacity = await calibrate(calibrationFile(), () =>
      process.stdout.write('measuring what this machine can offer, once a day, for about 5 s\n'),
    );
    const alone = fleetCapacity([{ workerId: 'this', slots: concurrency, capacity }]);
    process.stdout.write(`this machine can offer ${offerText(alone?.rates ?? [])}\n`);
    return capacity;
  } catch (error) {
    process.stderr.write(
      `this machine could not be measured (${messageOf(error)}): nobody knows what it can offer\n`,
    );
    return null;
  }
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
