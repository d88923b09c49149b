import { type ChildProcess, fork } from 'node:child_process';
import { childEnvironment } from '../src/config/child-environment.ts';
import { builtFile } from '../src/queue/built-file.ts';
import { crashLine } from '../src/queue/crash-line.ts';
import type { FinishedShard } from '../src/queue/load-job.ts';
import type { FromChild, ToChild } from './child-messages.ts';
import { MALLOC_TUNING } from './malloc-tuning.ts';

/**
 * Threads of libuv's pool in a load child. Each connect and each flush blocks one; with the default of 4, a hundred
 * producers would connect one after the other.
 */
const POOL_THREADS = '128';
const KEPT_STDERR = 2_000;

/** A load child with what it said last. */
export interface LoadProcess {
  readonly child: ChildProcess;
  /** End of its stderr, for the reason of a crash. */
  stderr(): string;
}

/** Forks a load child from the build output; it loads node-rdkafka and waits for its job. */
export function forkLoadProcess(): LoadProcess {
  const child = fork(builtFile('workers/load-child.js'), [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: childEnvironment({ UV_THREADPOOL_SIZE: POOL_THREADS, ...MALLOC_TUNING }),
  });
  let tail = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-KEPT_STDERR);
  });
  child.on('error', () => {});
  return { child, stderr: () => crashLine(tail) };
}

/** Keeps one warm child in reserve: loading node-rdkafka takes longer than connecting. */
export interface SpareProcess {
  /** The warm child; the next one is forked when `refill` is called. */
  take(): LoadProcess;
  /** Forks the next spare, if there is none. Called when no trial runs, for the fork costs CPU. */
  refill(): void;
  close(): void;
}

export function keepSpareProcess(): SpareProcess {
  let spare: LoadProcess | null = null;
  let isClosed = false;
  const refill = () => {
    if (isClosed || spare) return;
    const fresh = forkLoadProcess();
    spare = fresh;
    fresh.child.once('exit', () => {
      if (spare === fresh) spare = null;
    });
  };
  refill();
  return {
    take: () => {
      const taken = spare?.child.connected ? spare : forkLoadProcess();
      spare = null;
      return taken;
    },
    refill,
    close: () => {
      isClosed = true;
      spare?.child.kill('SIGKILL');
    },
  };
}

export function send(process: LoadProcess, message: ToChild): void {
  if (process.child.connected) process.child.send(message, () => {});
}

/** Resolves with the child's report; rejects when it fails, dies, or says why it cannot. */
export function reportOf(
  process: LoadProcess,
  onMessage: (message: FromChild) => void,
): Promise<FinishedShard> {
  return new Promise((resolve, reject) => {
    process.child.on('message', (message: FromChild) => {
      if (message.kind === 'report' || message.kind === 'readers') resolve(message);
      else if (message.kind === 'failed') reject(new Error(message.reason));
      else onMessage(message);
    });
    process.child.once('exit', (code, signal) => {
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
      reject(new Error(`the load child ${how} before its report ${process.stderr()}`.trim()));
    });
  });
}
