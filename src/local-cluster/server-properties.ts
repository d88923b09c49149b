import { type ListenerSecret, securedProperties } from './client-listener.ts';
import type { NodePlace } from './cluster-layout.ts';

/** A broker's listener for clients. */
export interface ClientListener {
  readonly port: number;
  /** The port that clients are told. */
  readonly advertisedPort: number;
  /** Null: open to all. */
  readonly secret: ListenerSecret | null;
}

/** What a broker's settings depend on. */
export interface BrokerSettings {
  readonly place: NodePlace;
  readonly port: number;
  readonly controllerPort: number;
  /** Id of the quorum's one node; the broker's own makes it the controller too. */
  readonly controllerId: number;
  readonly brokerCount: number;
  /** Where clients besides the brokers come in; null for nowhere else. */
  readonly clients: ClientListener | null;
  readonly replicaLagTimeMaxMs: number;
}

/**
 * Writes a broker's server.properties. Small on purpose: one request handler thread, so that a small machine shows the limit
 * a big cluster with slower disks has; deletes at once, because a search fills the disk otherwise; one consumer group or
 * transaction needs few partitions.
 */
export function brokerProperties(settings: BrokerSettings): string {
  const { place, port, controllerId, controllerPort, brokerCount, replicaLagTimeMaxMs, clients } = settings;
  const isController = controllerId === place.id;
  const replicas = Math.min(3, brokerCount);
  return text({
    'process.roles': isController ? 'broker,controller' : 'broker',
    'node.id': place.id,
    ...quorum(controllerId, controllerPort, clients),
    listeners: [
      address('PLAINTEXT', port),
      ...(clients ? [address('CLIENTS', clients.port)] : []),
      ...(isController ? [address('CONTROLLER', controllerPort)] : []),
    ].join(),
    'advertised.listeners': [
      address('PLAINTEXT', port),
      ...(clients ? [address('CLIENTS', clients.advertisedPort)] : []),
    ].join(),
    ...(clients?.secret ? securedProperties(clients.secret) : {}),
    ...(isController ? { 'default.replication.factor': replicas } : {}),
    'log.dirs': place.dataFolder,
    'num.io.threads': 1,
    'num.network.threads': 2,
    'auto.create.topics.enable': false,
    'replica.lag.time.max.ms': replicaLagTimeMaxMs,
    // Followers fetch 20 times a second instead of after every append: thousands of fetches a second would make the two
    // cores the limit, and the idle ratio of a trial a matter of luck.
    'replica.fetch.wait.max.ms': 50,
    'replica.fetch.min.bytes': 1_048_576,
    'offsets.topic.replication.factor': replicas,
    'offsets.topic.num.partitions': 3,
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 3,
    'group.initial.rebalance.delay.ms': 0,
    'log.initial.task.delay.ms': 1_000,
    'log.retention.check.interval.ms': 2_000,
    'log.segment.delete.delay.ms': 1_000,
    // The default takes 128 MiB of a heap of 512.
    'log.cleaner.dedupe.buffer.size': 8_388_608,
    'controlled.shutdown.max.retries': 1,
  });
}

/** Writes the controller's server.properties: a quorum of one. */
export function controllerProperties(place: NodePlace, controllerPort: number, brokerCount: number): string {
  return text({
    'process.roles': 'controller',
    'node.id': place.id,
    ...quorum(place.id, controllerPort, null),
    listeners: address('CONTROLLER', controllerPort),
    'log.dirs': place.dataFolder,
    // The controller, not the broker, fills in what a create-topic request leaves open.
    'default.replication.factor': Math.min(3, brokerCount),
  });
}

function address(listener: string, port: number): string {
  return `${listener}://127.0.0.1:${port}`;
}

function quorum(
  controllerId: number,
  controllerPort: number,
  clients: ClientListener | null,
): Record<string, string> {
  const protocols = ['CONTROLLER:PLAINTEXT', 'PLAINTEXT:PLAINTEXT'];
  if (clients) protocols.push(`CLIENTS:${clients.secret ? 'SASL_SSL' : 'PLAINTEXT'}`);
  return {
    'controller.quorum.voters': `${controllerId}@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': protocols.join(),
  };
}

function text(entries: Readonly<Record<string, string | number | boolean>>): string {
  // A properties file reads a backslash as an escape.
  const lines = Object.entries(entries).map(
    ([key, value]) => `${key}=${String(value).replaceAll('\\', '\\\\')}`,
  );
  return `${lines.join('\n')}\n`;
}
