// Plimsoll's load child driven as a worker drives it, without Redis.
import { PLAIN_MESSAGES } from '../../../dist/boundary/payload/message-recipe.js';
import { forkLoadProcess, reportOf, send } from '../../../dist/workers/load-process.js';
import { machineNowMs } from '../../../dist/workers/machine-clock.js';

const START_TIMEOUT_MS = 20_000;
const START_AHEAD_MS = 200;

/**
 * Starts a load; resolves when it is under way.
 * @param wanted `{ producers, messageBytes, schedule, client, timedProducers }`, the latter two beside the usual.
 * @returns `{ pid, startAtMs, report, stop }`: `report` resolves at the end of the schedule or after `stop(window)`.
 */
export async function runLoadChild(broker, wanted) {
  const load = forkLoadProcess();
  let ready;
  const isReady = new Promise((resolve) => {
    ready = resolve;
  });
  const finished = reportOf(load, (message) => {
    if (message.kind === 'ready') ready();
  });
  // Run clock minus machine clock: here the wall clock is the run's.
  const clockOffsetMs = Date.now() - machineNowMs();
  send(load, { kind: 'job', job: jobOf(broker, wanted), workerId: 'bench', clockOffsetMs });
  await Promise.race([isReady, finished]);
  const startAtMs = Date.now() + START_AHEAD_MS;
  send(load, { kind: 'start', startAtMs });
  const report = finished.then((last) => last.report);
  report.catch(() => {});
  return {
    pid: load.child.pid,
    startAtMs,
    report,
    stop: (window) => {
      send(load, { kind: 'stop', window });
      return report;
    },
  };
}

function jobOf(broker, { client, ...wanted }) {
  return {
    kind: 'produce',
    runId: 'bench',
    workerId: 'bench',
    epoch: 1,
    shard: 0,
    firstProducer: 0,
    producersOfTrial: wanted.producers,
    timedProducers: 0,
    messages: PLAIN_MESSAGES,
    topic: broker.topic,
    partitions: broker.partitions,
    client: { 'bootstrap.servers': broker.bootstrap, ...client },
    startTimeoutMs: START_TIMEOUT_MS,
    drainTimeoutMs: START_TIMEOUT_MS,
    seed: 1,
    ...wanted,
  };
}
