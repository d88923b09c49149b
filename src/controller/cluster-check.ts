import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterCheck } from '../../boundary/trial.ts';
import { messageOf, PlimsollError } from '../errors.ts';
import { leadersByBroker } from '../kafka/load-topic.ts';
import type { RunContext } from './run-context.ts';

const METADATA_TIMEOUT_MS = 5_000;

/** How long a broker that dropped out between trials may take to come back, ms. */
const COMEBACK_MS = 20_000;

/** What Kafka's metadata says about brokers and topic right now; a cluster that does not answer answers with nothing. */
export async function checkCluster(context: RunContext, topicName: string): Promise<ClusterCheck> {
  const expectedBrokerIds = context.brokerIds;
  try {
    const { brokers, topics } = await context.kafka.metadata(METADATA_TIMEOUT_MS);
    const topic = topics.find(({ name }) => name === topicName);
    return {
      expectedBrokerIds,
      answeringBrokerIds: brokers.map(({ id }) => id),
      isTopicPresent: topic !== undefined,
      leadersByBroker: topic ? leadersByBroker(topic) : {},
    };
  } catch {
    return { expectedBrokerIds, answeringBrokerIds: [], isTopicPresent: false, leadersByBroker: {} };
  }
}

/**
 * Makes sure before a trial that every broker answers Kafka and shows its metrics.
 * @throws PlimsollError BROKER_LOST when one stays away; what is recorded stays, the run can be resumed.
 */
export async function requireBrokers(context: RunContext): Promise<void> {
  const deadline = performance.now() + COMEBACK_MS;
  for (;;) {
    const trouble = await findTrouble(context);
    if (trouble === null) return;
    if (performance.now() > deadline) {
      throw new PlimsollError(
        'BROKER_LOST',
        `${trouble}; bring it back, then go on with: plimsoll find --resume ${context.runId}`,
      );
    }
    await sleep(1_000, undefined, { signal: context.signal });
  }
}

async function findTrouble(context: RunContext): Promise<string | null> {
  try {
    const { brokers } = await context.kafka.metadata(METADATA_TIMEOUT_MS);
    const lost = context.brokerIds.filter((id) => !brokers.some((broker) => broker.id === id));
    if (lost.length > 0) return `broker ${lost.join(', ')} does not answer Kafka any more`;
  } catch (error) {
    return messageOf(error);
  }
  const missed = (await context.poller.pollOnce()).find((poll) => poll.kind === 'missed');
  // A page that is fresh but unmoved between two quick looks is no loss.
  return missed?.kind === 'missed' && missed.reason !== 'stale page'
    ? `the metrics page of broker ${missed.brokerId} does not answer (${missed.reason})`
    : null;
}
