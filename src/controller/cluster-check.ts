import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterCheck } from '../../boundary/trial.ts';
import { messageOf, PlimsollError } from '../errors.ts';
import type { KafkaMetadata } from '../kafka/kafka-connection.ts';
import { leadersByBroker } from '../kafka/load-topic.ts';
import { type ClusterTrouble, clusterTrouble, newTrouble } from './cluster-trouble.ts';
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
 * Makes sure before a load that every broker answers Kafka and shows its metrics, and that no partition is in trouble that
 * was not when the run began.
 *
 * @returns the trouble that there is, against which the load is watched.
 * @throws PlimsollError BROKER_LOST, CLUSTER_UNHEALTHY when it stays so; what is recorded stays, the run can be resumed.
 */
export async function requireWell(context: RunContext): Promise<ClusterTrouble> {
  const deadline = performance.now() + COMEBACK_MS;
  for (;;) {
    const found = await findTrouble(context);
    if (!(found instanceof PlimsollError)) return found;
    if (performance.now() > deadline) throw found;
    await sleep(1_000, undefined, { signal: context.signal });
  }
}

async function findTrouble(context: RunContext): Promise<ClusterTrouble | PlimsollError> {
  const goOn = `go on with: plimsoll find --resume ${context.runId}`;
  const lost = (text: string) => new PlimsollError('BROKER_LOST', `${text}; bring it back, then ${goOn}`);
  let metadata: KafkaMetadata;
  try {
    metadata = await context.kafka.metadata(METADATA_TIMEOUT_MS);
  } catch (error) {
    return lost(messageOf(error));
  }
  const gone = context.brokerIds.filter((id) => !metadata.brokers.some((broker) => broker.id === id));
  if (gone.length > 0) return lost(`broker ${gone.join(', ')} does not answer Kafka any more`);
  const polls = await context.poller.pollOnce();
  const missed = polls.find((poll) => poll.kind === 'missed');
  // A page that is fresh but unmoved between two quick looks is no loss.
  if (missed?.kind === 'missed' && missed.reason !== 'stale page') {
    return lost(`the metrics page of broker ${missed.brokerId} does not answer (${missed.reason})`);
  }
  const worse = newTrouble(polls, metadata, context.troubleAtStart, 'when the run began');
  if (worse === null) return clusterTrouble(polls, metadata);
  return new PlimsollError(
    'CLUSTER_UNHEALTHY',
    `${worse.detail}: no load is offered; when the cluster is well again, ${goOn}`,
  );
}
