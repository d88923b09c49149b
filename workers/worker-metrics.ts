import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { WorkerCapacity } from '../boundary/fleet-capacity.ts';
import type { ShardTick } from '../boundary/trial.ts';
import type { ShardJobData } from '../src/queue/load-job.ts';
import type { WorkerEvent } from './load-worker.ts';

/** The worker's own metrics page. */
export interface WorkerMetrics {
  observe(event: WorkerEvent): void;
  close(): Promise<void>;
}

/** Serves `/metrics` on loopback. @throws the listen error, e.g. EADDRINUSE. */
export async function serveWorkerMetrics(
  port: number,
  capacity: WorkerCapacity | null,
): Promise<WorkerMetrics> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  tellCapacity(registry, capacity);
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

function tellCapacity(registry: Registry, capacity: WorkerCapacity | null): void {
  const gauge = new Gauge({
    name: 'plimsoll_worker_capacity_messages_per_second',
    help: 'What this worker can offer with one core, by size of message',
    labelNames: ['message_bytes'],
    registers: [registry],
  });
  for (const { messageBytes, messagesPerSecond } of capacity?.rates ?? []) {
    gauge.set({ message_bytes: messageBytes }, messagesPerSecond);
  }
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
  const last = new Map<ShardJobData, ShardTick>();
  const addTick = (job: ShardJobData, tick: ShardTick) => {
    for (const name of ['offered', 'accepted', 'acked', 'failed'] as const) {
      messages[name].inc(Math.max(0, tick[name] - (last.get(job)?.[name] ?? 0)));
    }
    last.set(job, tick);
  };
  return (event) => {
    const sent = event.job.kind === 'produce' ? event.job.producers : 0;
    if (event.kind === 'started') producers.inc(sent);
    else if (event.kind === 'progress') {
      if (event.message.kind === 'tick') addTick(event.job, event.message.tick);
    } else {
      jobs.inc({ result: event.kind });
      producers.dec(sent);
      last.delete(event.job);
    }
  };
}
