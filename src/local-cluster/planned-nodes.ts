import type { ProcessIdentity } from '../process/process-identity.ts';
import { scramArguments } from './client-listener.ts';
import { CONTROLLER_ID, type NodePlace, nodePlace } from './cluster-layout.ts';
import type { ClusterState } from './cluster-state.ts';
import type { NodeMetrics } from './kafka-node.ts';
import type { ExporterOptions } from './local-cluster.ts';
import { brokerProperties, type ClientListener, controllerProperties } from './server-properties.ts';

/** A Kafka process that is to be formatted and started. */
export interface PlannedNode {
  readonly place: NodePlace;
  readonly properties: string;
  /** Where the state keeps its process. */
  readonly entry: { process: ProcessIdentity | null; readonly port: number };
  readonly metrics: NodeMetrics | null;
  /** Beside the usual ones of Kafka's storage tool. */
  readonly formatArguments: readonly string[];
}

/** What the processes of a cluster depend on beside its ports. */
export interface NodePlan {
  readonly directory: string;
  readonly replicaLagTimeMaxMs: number;
  /** In the order of brokers; the last one goes for the rest. */
  readonly exporters: readonly ExporterOptions[];
  readonly javaAgents: readonly string[];
  /** Of brokers that keep their data elsewhere, by id. */
  readonly dataFolders: Readonly<Record<number, string>>;
}

/** Lays out the processes of a cluster whose ports are chosen: the controller first, unless broker 1 is it. */
export function plannedNodes(plan: NodePlan, state: ClusterState): readonly PlannedNode[] {
  const brokers = state.brokers.map((broker, index) => plannedBroker(plan, state, broker, index));
  return state.isCombined ? brokers : [plannedController(plan, state), ...brokers];
}

function plannedController({ directory }: NodePlan, state: ClusterState): PlannedNode {
  const place = nodePlace(directory, 'controller', CONTROLLER_ID);
  const properties = controllerProperties(place, state.controller.port, state.brokers.length);
  // Users are written where the cluster's first metadata are.
  const formatArguments = state.clients?.secret ? scramArguments(state.clients.secret) : [];
  return { place, properties, entry: state.controller, metrics: null, formatArguments };
}

function plannedBroker(
  plan: NodePlan,
  state: ClusterState,
  broker: ClusterState['brokers'][number],
  index: number,
): PlannedNode {
  const usual = nodePlace(plan.directory, 'broker', broker.id);
  const place = { ...usual, dataFolder: plan.dataFolders[broker.id] ?? usual.dataFolder };
  const controllerId = state.isCombined ? (state.brokers[0]?.id ?? broker.id) : CONTROLLER_ID;
  const properties = brokerProperties({
    place,
    port: broker.port,
    controllerId,
    controllerPort: state.controller.port,
    brokerCount: state.brokers.length,
    replicaLagTimeMaxMs: plan.replicaLagTimeMaxMs,
    clients: clientListener(state, broker, index),
  });
  const metrics = {
    port: broker.metricsPort,
    exporter: plan.exporters[index] ?? plan.exporters.at(-1) ?? {},
    javaAgents: plan.javaAgents.map((text, agent) =>
      text.replaceAll('{port}', String(broker.agentPorts[agent] ?? 0)),
    ),
  };
  const formatArguments =
    broker.id === controllerId && state.clients?.secret ? scramArguments(state.clients.secret) : [];
  return { place, properties, entry: broker, metrics, formatArguments };
}

function clientListener(
  { clients }: ClusterState,
  { clientPort }: ClusterState['brokers'][number],
  index: number,
): ClientListener | null {
  if (clients === null || clientPort === null) return null;
  const advertisedPort = clients.advertisedPorts?.[index] ?? clientPort;
  return { port: clientPort, advertisedPort, secret: clients.secret };
}
