import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { findFreePorts } from '../../src/process/free-ports.ts';

it('finds different ports that can be bound, below those of outgoing connections', async () => {
  const ports = await findFreePorts(7);
  expect(new Set(ports).size).toBe(7);
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    await new Promise((resolve) => server.close(resolve));
  }
});
