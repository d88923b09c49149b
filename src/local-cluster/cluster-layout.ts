import { join } from 'node:path';

/** Node id of the controller; far from the brokers' 1..N. */
export const CONTROLLER_ID = 1000;

/** A Kafka process of the local cluster, by role and place. */
export interface NodePlace {
  readonly id: number;
  readonly role: 'controller' | 'broker';
  /** Everything of this node but its log. */
  readonly folder: string;
  readonly propertiesFile: string;
  /** The exporter's rules; a broker's only. */
  readonly rulesFile: string;
  readonly dataFolder: string;
  readonly logFile: string;
}

/** Where one node of the cluster in `directory` keeps its things. */
export function nodePlace(directory: string, role: NodePlace['role'], id: number): NodePlace {
  const name = role === 'controller' ? 'controller' : `broker-${id}`;
  const folder = join(directory, name);
  return {
    id,
    role,
    folder,
    propertiesFile: join(folder, 'server.properties'),
    rulesFile: join(folder, 'jmx-exporter.yaml'),
    dataFolder: join(folder, 'data'),
    logFile: join(directory, 'logs', `${name}.log`),
  };
}

/** The entries of `directory` that belong to a local cluster, and that taking it down removes. */
export const OWNED_ENTRY = /^(controller|broker-\d+|keys|logs|local-cluster\.json(\..+)?)$/;

export function stateFile(directory: string): string {
  return join(directory, 'local-cluster.json');
}

export function lockFile(directory: string): string {
  return join(directory, 'local-cluster.lock');
}
