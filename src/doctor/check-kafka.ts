import { messageOf } from '../errors.ts';
import { connectKafka, type KafkaConnection, type KafkaMetadata } from '../kafka/kafka-connection.ts';
import { LOAD_TOPIC_PREFIX } from '../kafka/load-topic.ts';
import type { ClientProperties } from '../queue/load-job.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import { whyUnreachable } from './why-unreachable.ts';

export interface KafkaFindings {
  readonly checks: readonly CheckResult[];
  /** null when the cluster does not answer. */
  readonly brokers: KafkaMetadata['brokers'] | null;
}

/** Checks brokers, controller, replicas and leftovers of a cluster. Creates and deletes one small topic of its own. */
export async function checkKafka(client: ClientProperties, timeoutMs: number): Promise<KafkaFindings> {
  const addresses = String(client['bootstrap.servers'] ?? '');
  let connection: KafkaConnection | null = null;
  try {
    connection = await connectKafka(client, timeoutMs);
    const { brokers, topics } = await connection.metadata(timeoutMs);
    const checks = [
      await checkBrokers(brokers, timeoutMs),
      await checkController(connection),
      checkReplicas(topics),
      checkLeftovers(topics),
    ];
    return { checks, brokers };
  } catch (error) {
    const fix = 'check the address, the listeners and the security settings (client.*), and that Kafka runs';
    return { checks: [fail('brokers', `${addresses}: ${messageOf(error)}`, fix)], brokers: null };
  } finally {
    await connection?.close();
  }
}

/** One address answered; the producers will connect to every broker, at the address that it advertises. */
async function checkBrokers(brokers: KafkaMetadata['brokers'], timeoutMs: number): Promise<CheckResult> {
  const refusals = await Promise.all(brokers.map(({ host, port }) => whyUnreachable(host, port, timeoutMs)));
  const list = brokers.map(({ id, host, port }) => `${id} at ${host}:${port}`);
  const refused = list.flatMap((broker, index) => {
    const reason = refusals[index];
    return typeof reason === 'string' ? [`${broker} (${reason})`] : [];
  });
  if (refused.length === 0) return ok('brokers', `${list.length}: ${list.join(', ')}`);
  const fix = 'see that these brokers run and that advertised.listeners names addresses reachable from here';
  return fail('brokers', `no connection to ${refused.join(', ')}`, fix);
}

/**
 * Clients of a KRaft cluster are not told who the controller is, so it is asked to do something: a topic is a
 * decision of the controller, and the run needs the same right.
 */
async function checkController(connection: KafkaConnection): Promise<CheckResult> {
  const name = `${LOAD_TOPIC_PREFIX}doctor-${Math.random().toString(36).slice(2, 10)}`;
  const startMs = performance.now();
  try {
    await connection.createTopic({ name, partitions: 1, replicationFactor: 1, config: {} });
    const tookMs = Math.round(performance.now() - startMs);
    await connection.deleteTopic(name);
    return ok('controller', `created and deleted topic ${name}; the creation took ${tookMs} ms`);
  } catch (error) {
    const fix = 'see that the controllers run and that this user may create and delete topics plimsoll-*';
    return fail('controller', messageOf(error), fix);
  }
}

/** Under-replicated and leaderless partitions now, by Kafka's metadata. */
export function checkReplicas(topics: KafkaMetadata['topics']): CheckResult {
  const partitions = topics.flatMap((topic) =>
    topic.partitions.map((partition) => ({ ...partition, label: `${topic.name}-${partition.id}` })),
  );
  const orphans = partitions.filter(({ leader }) => leader < 0).map(({ label }) => label);
  if (orphans.length > 0) {
    return fail(
      'replicas',
      `no leader: ${shortList(orphans)}`,
      'start the brokers that hold these partitions',
    );
  }
  const behind = partitions
    .filter(({ isr, replicas }) => isr.length < replicas.length)
    .map(({ label }) => label);
  if (behind.length === 0) return ok('replicas', `all in sync (${partitions.length} partitions)`);
  const fix =
    'wait until the replicas have caught up, or find the broker that is down; a run would blame its load';
  return fail('replicas', `under-replicated: ${shortList(behind)}`, fix);
}

/** Topics that a killed run may have left. */
export function checkLeftovers(topics: KafkaMetadata['topics']): CheckResult {
  const left = topics.map(({ name }) => name).filter((name) => name.startsWith(LOAD_TOPIC_PREFIX));
  if (left.length === 0) return ok('leftover topics', 'none');
  const fix =
    'if no run is under way or to be resumed, delete them with kafka-topics.sh --delete --topic NAME';
  return warn('leftover topics', shortList(left), fix);
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
