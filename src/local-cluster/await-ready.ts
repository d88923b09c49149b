import { connect } from 'node:net';
import { PlimsollError } from '../errors.ts';
import { waitUntil } from '../process/wait-until.ts';
import type { NodePlace } from './cluster-layout.ts';
import { metricsUrlOf } from './cluster-status.ts';
import { logTail } from './log-tail.ts';

/** Generous: on two busy cores three brokers need 8 to 25 s. */
const READY_TIMEOUT_MS = 120_000;
const SCRAPE_TIMEOUT_MS = 5_000;
const LOG_LINES = 40;

/** Kafka's last word of a start: registered, unfenced, serving clients. */
const STARTED = 'Kafka Server started';
/** In the name of the idle meter's series under any rules, case aside. */
const IDLE_METER = 'kafkarequesthandlerpool';

/** A started node that is waited for. */
export interface AwaitedNode {
  readonly place: NodePlace;
  readonly port: number;
  /** Null for the controller, which shows no metrics. */
  readonly metricsPort: number | null;
  hasExited(): boolean;
}

/**
 * Waits until every node accepts Kafka connections and every broker serves its metrics and has finished its start.
 * @throws PlimsollError CLUSTER_FAILED with the end of the log when a node dies or takes too long; CANCELLED by the signal.
 */
export async function awaitReady(
  nodes: readonly AwaitedNode[],
  signal: AbortSignal | undefined,
  onReady: (node: AwaitedNode) => void,
): Promise<void> {
  const pending = new Set(nodes);
  const isReady = await waitUntil(
    async () => {
      if (signal?.aborted)
        throw new PlimsollError('CANCELLED', 'The start of the local cluster was cancelled.');
      for (const node of nodes) if (node.hasExited()) throw crashed(node, 'stopped while starting');
      for (const node of [...pending]) {
        if (!(await isNodeReady(node))) continue;
        pending.delete(node);
        onReady(node);
      }
      return pending.size === 0;
    },
    READY_TIMEOUT_MS,
    200,
  );
  const [late] = pending;
  if (!isReady && late) throw crashed(late, `was not ready after ${READY_TIMEOUT_MS / 1000} s`);
}

function crashed({ place }: AwaitedNode, what: string): PlimsollError {
  const lines = logTail(place.logFile, LOG_LINES);
  const reason =
    lines.findLast((line) => / (ERROR|FATAL) |Exception|Error:/.test(line)) ??
    lines.at(-1) ??
    'its log is empty';
  const name = place.role === 'broker' ? `Broker ${place.id}` : 'The controller';
  return new PlimsollError(
    'CLUSTER_FAILED',
    `${name} of the local cluster ${what}: ${reason.slice(0, 300)} (log: ${place.logFile})`,
  );
}

async function isNodeReady({ place, port, metricsPort }: AwaitedNode): Promise<boolean> {
  if (!(await acceptsConnections(port))) return false;
  if (metricsPort === null) return true;
  if (!logTail(place.logFile, LOG_LINES).some((line) => line.includes(STARTED))) return false;
  return (await readPage(metricsUrlOf(metricsPort))).toLowerCase().includes(IDLE_METER);
}

async function readPage(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(SCRAPE_TIMEOUT_MS) });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.setTimeout(1_000, () => end(false));
  });
}
