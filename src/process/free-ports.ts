import { createServer } from 'node:net';
import { PlimsollError } from '../errors.ts';

/**
 * Below the ports that Linux (32768 up) and macOS (49152 up) give to outgoing connections, so that no client takes the port
 * between the look and the bind, or while a broker restarts.
 */
const FIRST_PORT = 20_000;
const PORT_COUNT = 12_000;

/**
 * Finds ports of 127.0.0.1 that nobody listens on. They are not held: bind them soon.
 * @throws PlimsollError INTERNAL when there are not enough.
 */
export async function findFreePorts(count: number): Promise<readonly number[]> {
  const start = Math.floor(Math.random() * PORT_COUNT);
  const found: number[] = [];
  for (let step = 0; step < PORT_COUNT && found.length < count; step += 1) {
    const port = FIRST_PORT + ((start + step) % PORT_COUNT);
    if (await isFree(port)) found.push(port);
  }
  if (found.length < count) throw new PlimsollError('INTERNAL', `Found no ${count} free ports on 127.0.0.1.`);
  return found;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
