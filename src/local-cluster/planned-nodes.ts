import type { ProcessIdentity } from '../process/process-identity.ts';
import { CONTROLLER_ID, type NodePlace, nodePlace } from './cluster-layout.ts';
import type { ClusterState } from './cluster-state.ts';
import type { NodeMetrics } from './kafka-node.ts';
import type { ExporterOptions } from './local-cluster.ts';
import { brokerProperties, controllerProperties } from './server-properties.ts';

/** A Kafka process that is to be formatted and started. */
export interface PlannedNode {
  readonly place: NodePlace;
  readonly properties: string;
  /** Where the state keeps its process. */
  readonly entry: { process: ProcessIdentity | null; readonly port: number };
  readonly metrics: NodeMetrics | null;
}

/** What the processes of a cluster depend on beside its ports. */
export interface NodePlan {
  readonly directory: string;
  readonly replicaLagTimeMaxMs: number;
  /** In the order of brokers; the last one goes for the rest. */
  readonly exporters: readonly ExporterOptions[];
  readonly javaAgents: readonly string[];
}

/** Lays out the processes of a cluster whose ports are chosen: the controller first, unless broker 1 is it. */
export function plannedNodes(plan: NodePlan, state: ClusterState): readonly PlannedNode[] {
  const brokers = state.brokers.map((broker, index) => plannedBroker(plan, state, broker, index));
  return state.isCombined ? brokers : [plannedController(plan, state), ...brokers];
}

function plannedController({ directory }: NodePlan, state: ClusterState): PlannedNode {
  const place = nodePlace(directory, 'controller', CONTROLLER_ID);
  const properties = controllerProperties(place, state.controller.port, state.brokers.length);
  return { place, properties, entry: state.controller, metrics: null };
}

function plannedBroker(
  plan: NodePlan,
  state: ClusterState,
  broker: ClusterState['brokers'][number],
  index: number,
): PlannedNode {
  const place = nodePlace(plan.directory, 'broker', broker.id);
  const controllerId = state.isCombined ? (state.brokers[0]?.id ?? broker.id) : CONTROLLER_ID;
  const properties = brokerProperties({
    place,
    port: broker.port,
    controllerId,
    controllerPort: state.controller.port,
    brokerCount: state.brokers.length,
    replicaLagTimeMaxMs: plan.replicaLagTimeMaxMs,
  });
  const metrics = {
    port: broker.metricsPort,
    exporter: plan.exporters[index] ?? plan.exporters.at(-1) ?? {},
    javaAgents: plan.javaAgents.map((text, agent) =>
      text.replaceAll('{port}', String(broker.agentPorts[agent] ?? 0)),
    ),
  };
  return { place, properties, entry: broker, metrics };
}
