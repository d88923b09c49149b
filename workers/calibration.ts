import { fork } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cpus, hostname } from 'node:os';
import { dirname } from 'node:path';
import type { CapacityRate, WorkerCapacity } from '../boundary/fleet-capacity.ts';
import { childEnvironment } from '../src/config/child-environment.ts';
import { librdkafkaVersion } from '../src/kafka/rdkafka.ts';
import { packageVersion } from '../src/package-version.ts';
import { acquireLock } from '../src/process/lock-file.ts';
import { makeFolder } from '../src/process/make-folder.ts';
import { roomForChildren } from '../src/process/room-for-children.ts';
import { builtFile } from '../src/queue/built-file.ts';
import type { CalibrationKind } from './calibrate.ts';
import { MALLOC_TUNING } from './malloc-tuning.ts';

/** What `workers/calibrate-child.ts` says to the process that forked it. */
export type FromCalibration =
  | { readonly kind: 'rates'; readonly rates: readonly CapacityRate[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** A measurement of this machine is good for a day. */
const FRESH_MS = 24 * 3_600_000;
/** On a busy machine it takes longer than its usual 5 s, with a tenth of a core five times that; beyond this something is wrong. */
const PATIENCE_MS = 40_000;

interface Kept {
  /** Of which machine, client and program the rates are. */
  readonly of: string;
  readonly atMs: number;
  readonly rates: readonly CapacityRate[];
}

/**
 * What this machine can offer: measured once a day, read from the file otherwise. Workers that start together measure one
 * after the other, and the second finds what the first has kept.
 *
 * @param file where the measurement is kept.
 * @param onMeasure called when it is made anew, for it takes about 5 s.
 * @throws Error when it cannot be made.
 */
export async function calibrate(file: string, onMeasure: () => void): Promise<WorkerCapacity> {
  const kept = readKept(file);
  if (kept) return capacityOf(kept);
  const lock = await acquireLock(`${file}.lock`, PATIENCE_MS, () => {}).catch(() => null);
  try {
    const keptMeanwhile = readKept(file);
    if (keptMeanwhile) return capacityOf(keptMeanwhile);
    onMeasure();
    const rates = await measureInChild('client');
    keep(file, rates);
    return capacityOf(rates);
  } finally {
    lock?.release();
  }
}

/** Measures in a child process, which ends with this one. @throws Error with the child's reason. */
export function measureInChild(kind: CalibrationKind): Promise<readonly CapacityRate[]> {
  const child = fork(builtFile('workers/calibrate-child.js'), [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Connects and flushes of all sizes block threads of the pool at once.
    env: childEnvironment({ UV_THREADPOOL_SIZE: '32', ...MALLOC_TUNING }),
  });
  return new Promise<readonly CapacityRate[]>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no measurement in ${PATIENCE_MS / 1_000} s`)),
      PATIENCE_MS,
    );
    child.once('message', (message: FromCalibration) => {
      if (message.kind === 'rates') resolve(message.rates);
      else reject(new Error(message.reason));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`the measuring process ended with ${signal ?? code}`)),
    );
    child.once('exit', () => clearTimeout(timer));
    child.send(kind, (error) => error && reject(error));
  }).finally(() => child.kill('SIGKILL'));
}

/** Cores and memory are looked at anew: a container may have been given others. */
function capacityOf(rates: readonly CapacityRate[]): WorkerCapacity {
  const { cores, byMemory } = roomForChildren();
  return { cores: Math.min(cores, Math.max(1, byMemory)), rates };
}

function subject(): string {
  const models = cpus();
  const machine = `${hostname()}, ${models.length} x ${models[0]?.model.trim() ?? 'unknown'}`;
  return `${machine}, librdkafka ${librdkafkaVersion}, Node ${process.versions.node}, Plimsoll ${packageVersion()}`;
}

function readKept(file: string): readonly CapacityRate[] | null {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
    const ageMs = Date.now() - kept.atMs;
    const isFresh = kept.of === subject() && ageMs >= 0 && ageMs < FRESH_MS;
    return isFresh && kept.rates.length > 0 && kept.rates.every(isRate) ? kept.rates : null;
  } catch {
    return null;
  }
}

function isRate({ messageBytes, messagesPerSecond }: CapacityRate): boolean {
  return messageBytes > 0 && messagesPerSecond > 0 && Number.isFinite(messagesPerSecond);
}

/** A folder that cannot be written to costs a measurement at every start, no more. */
function keep(file: string, rates: readonly CapacityRate[]): void {
  const kept: Kept = { of: subject(), atMs: Date.now(), rates };
  try {
    makeFolder(dirname(file));
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, JSON.stringify(kept));
    renameSync(fresh, file);
  } catch {}
}
