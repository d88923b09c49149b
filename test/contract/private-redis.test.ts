import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/local-cluster/package-root.ts';
import { identifyProcess } from '../../src/process/process-identity.ts';
import { waitUntil } from '../../src/process/wait-until.ts';
import { startPrivateRedis } from '../../src/redis/private-redis.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-redis-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const pidIn = (directory: string): number =>
  JSON.parse(readFileSync(join(directory, 'redis.json'), 'utf8')).pid;

describe('the private Redis', () => {
  it('never evicts, saves nothing, and leaves nothing when it is stopped', async () => {
    const directory = join(scratch, 'stopped');
    const server = await startPrivateRedis({ directory });
    const client = new Redis(server.url);
    expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
    expect(await client.config('GET', 'save')).toEqual(['save', '']);
    expect(await client.config('GET', 'bind')).toEqual(['bind', '127.0.0.1']);
    client.disconnect();
    const pid = pidIn(directory);
    await server.stop();
    expect(identifyProcess(pid)).toBeNull();
    expect(existsSync(directory)).toBe(false);
  });

  it('leaves the word of a later one in the same folder alone', async () => {
    const directory = join(scratch, 'two');
    const earlier = await startPrivateRedis({ directory });
    const later = await startPrivateRedis({ directory });
    const pid = pidIn(directory);
    await earlier.stop();
    expect(pidIn(directory)).toBe(pid);
    await later.stop();
    expect(existsSync(directory)).toBe(false);
  });

  it('dies with a program that is killed with -9', async () => {
    const directory = join(scratch, 'orphan');
    const module = pathToFileURL(join(packageRoot(), 'dist/src/redis/private-redis.js'));
    const script = `const { startPrivateRedis } = await import('${module}');
      console.log((await startPrivateRedis({ directory: '${directory}' })).url);
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(parent.stdout, 'data');
    const pid = pidIn(directory);
    expect(identifyProcess(pid)).not.toBeNull();
    parent.kill('SIGKILL');
    expect(await waitUntil(() => identifyProcess(pid) === null, 5_000)).toBe(true);
  });
});
