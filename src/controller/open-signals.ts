import { setTimeout as sleep } from 'node:timers/promises';
import type { BrokerPoll } from '../../boundary/broker-reading.ts';
import type { SignalsRead } from '../../boundary/trial.ts';
import { sourceOptionsOf } from '../config/source-options.ts';
import { PlimsollError } from '../errors.ts';
import { machineNowMs, type RunClock } from '../run-clock.ts';
import { BrokerPoller } from '../signals/broker-poller.ts';
import type { BrokerSource } from '../signals/broker-source.ts';
import { findBrokerSources } from '../signals/find-broker-sources.ts';
import { intervalFor } from '../signals/poll-interval.ts';
import type { SourceKind } from '../signals/signal-source.ts';
import { type ClusterTrouble, clusterTrouble } from './cluster-trouble.ts';
import type { SessionRequest } from './open-session.ts';
import { measureRest } from './settle.ts';
import { longWindowText, NO_SIGNALS, type SignalTiming, signalTiming } from './signal-timing.ts';

/** A broker without load should rest at least this idle; less means that somebody else is using it. */
const RESTING_IDLE = 0.8;

const METADATA_TIMEOUT_MS = 5_000;
const REPLICAS_TIMEOUT_MS = 20_000;
const VERIFY_BYTES_PER_PARTITION = 50_000;

const UNCOUNTED =
  'the brokers do not show how many bytes come in: what is sent is compared with the end offsets of the topic alone';

/** How the brokers of this run are looked at. */
export interface OpenedSignals {
  readonly signals: SignalsRead;
  readonly poller: BrokerPoller;
  readonly timing: SignalTiming;
  readonly watchedIds: readonly number[];
  /** Idle of each broker without load, by broker id. */
  readonly restingIdle: Readonly<Record<string, number>>;
  /** Bytes per second that come in at all brokers without this run; null when their pages do not tell. */
  readonly restingBytesInPerSecond: number | null;
  /** Partitions that are in trouble before any load. */
  readonly troubleAtStart: ClusterTrouble;
}

/**
 * Finds where each broker's signals are, and makes sure whose they are; an empty list when the run was told to go without.
 * @throws PlimsollError METRICS_UNREACHABLE, METRIC_MISSING, METRICS_MISMATCH, CONFIG_INVALID
 */
export async function findSources(request: SessionRequest): Promise<readonly BrokerSource[]> {
  const { config, observe, teardown } = request;
  const { signals } = config;
  if (signals.source === 'none') {
    const text = "the brokers' own signals are not read, as asked: verdicts come from delivery alone";
    observe({ type: 'warning', text });
    return [];
  }
  observe({ type: 'step', text: `matching brokers to ${PLACES[signals.source]}` });
  const sources = await findBrokerSources({
    kind: signals.source,
    brokers: request.brokers,
    metrics: config.metrics,
    selector: signals.selector,
    idleSelector: signals.idle,
    options: sourceOptionsOf(signals),
    deadlineMs: signals.deadlineMs,
    nowMs: machineNowMs,
    sendToBroker: (brokerId) => sendToBroker(request, brokerId),
  });
  teardown.add(async () => {
    for (const { source } of sources) source.close();
  });
  return sources;
}

const PLACES: Readonly<Record<SourceKind, string>> = {
  scrape: 'metrics pages',
  prometheus: 'what Prometheus has of them',
  jolokia: 'Jolokia agents',
};

async function sendToBroker({ topics, kafka }: SessionRequest, brokerId: number): Promise<void> {
  const topic = await topics.topic();
  const { topics: known } = await kafka.metadata(METADATA_TIMEOUT_MS);
  const led = known
    .find(({ name }) => name === topic.name)
    ?.partitions.filter(({ leader }) => leader === brokerId)
    .map(({ id }) => id);
  await kafka.sendBurst(topic.name, led ?? [], VERIFY_BYTES_PER_PARTITION);
}

/** Starts looking: the poller, what it asks of windows, and the brokers at rest. */
export async function openSignals(
  request: SessionRequest,
  sources: readonly BrokerSource[],
  clock: RunClock,
): Promise<OpenedSignals> {
  const { config, observe, teardown, signal } = request;
  const poller = new BrokerPoller({
    brokers: sources,
    clock,
    intervalMs: config.trial.pollIntervalMs,
    deadlineMs: config.signals.deadlineMs,
    idleSelector: config.signals.idle,
  });
  teardown.add(() => poller.stop());
  const metadata = await request.kafka.metadata(METADATA_TIMEOUT_MS);
  if (sources.length === 0) {
    const troubleAtStart = clusterTrouble([], metadata);
    return {
      signals: 'none',
      poller,
      timing: NO_SIGNALS,
      watchedIds: [],
      restingIdle: {},
      restingBytesInPerSecond: null,
      troubleAtStart,
    };
  }
  const watchedIds = sources.map(({ brokerId }) => brokerId);
  const polls = await requireReplicas(poller, signal);
  const meters = polls.flatMap((poll) => (poll.kind === 'reading' ? [poll.idle] : []));
  const rest = await measureRest(poller, watchedIds, signal);
  warnOfOtherLoad(rest.idle, observe);
  if (rest.bytesInPerSecond === null) observe({ type: 'step', text: UNCOUNTED });
  const interval = intervalFor(poller.costs(), config.trial.pollIntervalMs);
  if (interval.why !== null) observe({ type: 'warning', text: interval.why });
  poller.setInterval(interval.intervalMs);
  const timing = signalTiming(poller.slowestIntervalMs, meters);
  const text = longWindowText(config.trial.windowMs, timing);
  if (text !== null) observe({ type: 'step', text });
  const troubleAtStart = clusterTrouble(polls, metadata);
  return {
    signals: 'brokers',
    poller,
    timing,
    watchedIds,
    restingIdle: rest.idle,
    restingBytesInPerSecond: rest.bytesInPerSecond,
    troubleAtStart,
  };
}

/**
 * A run does not start with under-replicated partitions that it cannot explain; a new topic needs a moment.
 * @returns the look that showed none.
 */
async function requireReplicas(poller: BrokerPoller, signal: AbortSignal): Promise<readonly BrokerPoll[]> {
  const deadline = performance.now() + REPLICAS_TIMEOUT_MS;
  for (;;) {
    const polls = await poller.pollOnce();
    const first = polls.find(isBehind);
    if (!first) return polls;
    if (performance.now() > deadline) {
      throw new PlimsollError(
        'CLUSTER_UNHEALTHY',
        `broker ${first.brokerId} has under-replicated partitions; wait until the cluster has caught up, then start again`,
      );
    }
    await sleep(500, undefined, { signal });
  }
}

function isBehind(poll: BrokerPoll): boolean {
  return poll.kind === 'reading' && (poll.underReplicatedPartitions ?? 0) > 0;
}

function warnOfOtherLoad(
  restingIdle: Readonly<Record<string, number>>,
  observe: SessionRequest['observe'],
): void {
  for (const [brokerId, idle] of Object.entries(restingIdle)) {
    if (idle >= RESTING_IDLE) continue;
    const text = `broker ${brokerId} is only ${Math.round(idle * 100)} % idle before any load: the result is the room that is left beside its other work`;
    observe({ type: 'warning', text });
  }
}
