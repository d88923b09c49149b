import { execFile } from 'node:child_process';
import { readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PlimsollError } from '../errors.ts';
import type { ChildHandle } from '../process/child-handle.ts';
import { findFreePorts } from '../process/free-ports.ts';
import { spawnGuarded } from '../process/guarded-child.ts';
import { makeFolder } from '../process/make-folder.ts';
import { waitUntil } from '../process/wait-until.ts';

const READY_TIMEOUT_MS = 15_000;
const GRACE_MS = 1_500;
/** Another process can take a free port before redis-server binds it. */
const PORT_TRIES = 3;

/** A redis-server of this program's own. */
export interface PrivateRedis {
  readonly url: string;
  readonly version: string;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a redis-server on a free port of 127.0.0.1: nothing saved, `noeviction` as BullMQ demands. It dies with this program,
 * also on kill -9. While it runs, `redis.json` in the directory tells its url and pid.
 * @throws PlimsollError TOOL_MISSING without redis-server, REDIS_UNREACHABLE when it does not come up.
 */
export async function startPrivateRedis(options: { readonly directory: string }): Promise<PrivateRedis> {
  const directory = resolve(options.directory);
  const version = await redisVersion();
  makeFolder(directory);
  for (let attempt = 1; attempt <= PORT_TRIES; attempt += 1) {
    const [port = 0] = await findFreePorts(1);
    const server = await spawnServer(directory, port);
    if (await waitUntil(async () => server.hasExited() || (await answersPing(port)), READY_TIMEOUT_MS)) {
      if (!server.hasExited()) return describe(directory, version, port, server);
    }
    await server.stop(GRACE_MS);
  }
  throw new PlimsollError(
    'REDIS_UNREACHABLE',
    `The private redis-server does not come up; see ${join(directory, 'redis.log')}, or set REDIS_URL.`,
  );
}

function describe(directory: string, version: string, port: number, server: ChildHandle): PrivateRedis {
  const url = `redis://127.0.0.1:${port}`;
  writeFileSync(join(directory, 'redis.json'), `${JSON.stringify({ url, pid: server.pid })}\n`);
  return {
    url,
    version,
    stop: async () => {
      await server.stop(GRACE_MS);
      // A later run of this home, on another cluster, has written its own: its workers look there.
      if (!isNamedIn(join(directory, 'redis.json'), url)) return;
      for (const name of ['redis.json', 'redis.log']) rmSync(join(directory, name), { force: true });
      try {
        rmdirSync(directory);
      } catch {
        // It holds more than Redis's files.
      }
    },
  };
}

function isNamedIn(file: string, url: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes(`"${url}"`);
  } catch {
    return false;
  }
}

async function redisVersion(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('redis-server', ['--version']);
    return /v=(\S+)/.exec(stdout)?.[1] ?? 'unknown';
  } catch (error) {
    throw new PlimsollError('TOOL_MISSING', 'There is no Redis: install redis-server or set REDIS_URL.', {
      cause: error,
    });
  }
}

function spawnServer(directory: string, port: number): Promise<ChildHandle> {
  const settings: Readonly<Record<string, string>> = {
    bind: '127.0.0.1',
    port: String(port),
    dir: directory,
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  };
  return spawnGuarded({
    command: 'redis-server',
    args: Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]),
    logFile: join(directory, 'redis.log'),
  });
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write('PING\r\n'));
    const end = (isUp: boolean): void => {
      socket.destroy();
      done(isUp);
    };
    socket.once('data', (chunk) => end(chunk.toString().startsWith('+PONG')));
    socket.once('error', () => end(false));
    socket.setTimeout(1_000, () => end(false));
  });
}
