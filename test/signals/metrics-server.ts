import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real HTTP server on loopback whose answer a test can change while it is polled. */
export interface MetricsServer {
  readonly url: string;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function startMetricsServer(answer: MetricsServer['answer']): Promise<MetricsServer> {
  const server: Server = createServer((request, response) => started.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const started: MetricsServer = {
    url: `http://127.0.0.1:${port}/metrics`,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return started;
}

export function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  response.end(text);
}

/** A page of a broker that has been idle for `ageMs`. */
export function idlePage(
  ageMs: number,
  options: { id?: number; bytesIn?: number; idleRatio?: number } = {},
): string {
  const { id, bytesIn = 0, idleRatio = 1 } = options;
  const pool = 'kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle';
  return [
    ...(id === undefined ? [] : [`kafka_server_app_info_version{id="${id}",version="4.4.0"} 1.0`]),
    'kafka_server_replicamanager_underreplicatedpartitions 0.0',
    `kafka_server_brokertopicmetrics_bytesin_total ${bytesIn}`,
    `${pool}percent_count_total ${Math.round(ageMs * 1e6 * idleRatio)}`,
    `${pool}_percent ${idleRatio}`,
    `process_cpu_seconds_total ${ageMs / 10_000}`,
    '',
  ].join('\n');
}
