import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ShardTick } from '../boundary/trial.ts';
import type { LoadJob } from '../src/queue/load-job.ts';
import type { WorkerEvent } from './load-worker.ts';

/** The worker's own metrics page. */
export interface WorkerMetrics {
  observe(event: WorkerEvent): void;
  close(): Promise<void>;
}

/** Serves `/metrics` on loopback. @throws the listen error, e.g. EADDRINUSE. */
export async function serveWorkerMetrics(port: number): Promise<WorkerMetrics> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (page) => response.writeHead(200, { 'content-type': registry.contentType }).end(page),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    observe: makeObserver(registry),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function makeObserver(registry: Registry): (event: WorkerEvent) => void {
  const registers = [registry];
  const counter = (word: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `plimsoll_worker_${word}_total`, help, labelNames, registers });
  const jobs = counter('jobs', 'Load jobs by how they ended', ['result']);
  const producers = new Gauge({ name: 'plimsoll_worker_producers', help: 'Producers under way', registers });
  const messages = {
    offered: counter('offered_messages', 'Messages that the schedules asked for'),
    accepted: counter('accepted_messages', 'Messages taken by librdkafka'),
    acked: counter('acked_messages', 'Messages acknowledged by the brokers'),
    failed: counter('failed_messages', 'Messages that failed'),
  };
  const last = new Map<LoadJob, ShardTick>();
  const addTick = (job: LoadJob, tick: ShardTick) => {
    for (const name of ['offered', 'accepted', 'acked', 'failed'] as const) {
      messages[name].inc(Math.max(0, tick[name] - (last.get(job)?.[name] ?? 0)));
    }
    last.set(job, tick);
  };
  return (event) => {
    if (event.kind === 'started') producers.inc(event.job.producers);
    else if (event.kind === 'progress') {
      if (event.message.kind === 'tick') addTick(event.job, event.message.tick);
    } else {
      jobs.inc({ result: event.kind });
      producers.dec(event.job.producers);
      last.delete(event.job);
    }
  };
}
