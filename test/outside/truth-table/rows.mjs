// What is done to a cluster or a generator, and the verdict that the verdict page has for it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lacks, limitCpu, limitDiskWrites } from '../control-groups.mjs';
import { leadAllBy, limitProducers } from './kafka-tools.mjs';
import { SlowPath } from './slow-path.mjs';

/** Brokers that wait for the disk at every batch, as the demo's do: their limit at 1 kB is a few MB/s. */
const FSYNC_EACH = { topicConfig: ['flush.messages=1'] };
const LIGHT = { np: 10, unitRate: 15 };
/** Time for a broker that stood still to follow its leaders again, ms. */
const RECOVERY_MS = 15_000;

/**
 * name, expected verdict, and beside them what is not as usual: `start` options of the cluster, `flags` of the run, the `plan`
 * of the trial; `lacks` says why the row cannot be run here, `before` acts before the trial, `during` so many seconds into
 * the window (`atSeconds`). What they return undoes it. `breaks`: the cluster is no good for another row.
 */
export const ROWS = [
  { name: 'a light load', expected: 'sustained', plan: LIGHT },
  {
    name: 'too much for the brokers',
    expected: 'overloaded: request-handler idle',
    flags: FSYNC_EACH,
    plan: { np: 50, unitRate: 400 },
  },
  {
    name: 'large messages on slow disks',
    expected: 'overloaded: delivery',
    lacks: () => lacks('blkio'),
    // With acks=all the followers' disks hold producers back, and the handlers have time.
    flags: { topicConfig: ['flush.messages=50'], producer: ['acks=all'] },
    plan: { messageBytes: 100_000, np: 10, unitRate: 15 },
    before: ({ cluster }) => limitDiskWrites(pidsOf(cluster), cluster.directory, 20_000_000),
  },
  {
    name: 'generator short of CPU',
    expected: 'invalid: generator-limited',
    lacks: () => lacks('cpu'),
    plan: { messageBytes: 100, np: 20, unitRate: 100 },
    atSeconds: -2,
    during: () => limitCpu(loadChildren(), 0.04),
  },
  {
    name: 'producer quota',
    expected: 'invalid: throttled by quota',
    plan: { np: 10, unitRate: 100 },
    before: async ({ cluster }) => {
      await limitProducers(cluster, 100_000);
      return () => limitProducers(cluster, null);
    },
  },
  {
    name: 'one broker stands still for 3 s',
    expected: 'sustained',
    plan: LIGHT,
    atSeconds: 2,
    during: async ({ cluster }) => {
      const goOn = pause(cluster, 2);
      await sleep(3_000);
      goOn();
    },
  },
  {
    name: 'leaders moved to one broker',
    expected: 'invalid: uneven leaders',
    plan: { ...LIGHT, windowMs: 25_000 },
    atSeconds: 1,
    during: async ({ cluster, bench }) => {
      const { name } = await bench.topics.topic();
      await leadAllBy(cluster, bench.kafka, name, 1);
    },
  },
  {
    name: 'topic deleted under the load',
    expected: 'invalid: topic gone',
    plan: LIGHT,
    atSeconds: 3,
    during: async ({ bench }) => bench.kafka.deleteTopic((await bench.topics.topic()).name),
  },
  {
    name: 'slow path to the brokers',
    expected: 'invalid: unexplained shortfall',
    path: new SlowPath(),
    plan: { np: 10, unitRate: 100 },
    before: ({ path }) => {
      path.setLimit(400_000);
      return () => path.setLimit(Number.POSITIVE_INFINITY);
    },
  },
  {
    name: 'path to the brokers that becomes slow',
    expected: 'invalid: unexplained shortfall',
    path: new SlowPath(),
    plan: { np: 10, unitRate: 100 },
    atSeconds: 4,
    during: ({ path }) => {
      path.setLimit(300_000);
      return () => path.setLimit(Number.POSITIVE_INFINITY);
    },
  },
  {
    name: 'one broker stands still for good',
    expected: 'invalid: broker lost',
    plan: LIGHT,
    atSeconds: 2,
    during: async ({ cluster }) => {
      const goOn = pause(cluster, 2);
      return async () => {
        goOn();
        await sleep(RECOVERY_MS);
      };
    },
  },
  {
    name: 'one broker killed',
    expected: 'invalid: broker lost',
    plan: LIGHT,
    atSeconds: 2,
    breaks: true,
    during: ({ cluster }) => process.kill(cluster.brokers[1].pid, 'SIGKILL'),
  },
  {
    name: 'disk of one broker full',
    expected: 'invalid: broker lost',
    lacks: () => (process.getuid?.() === 0 ? null : 'only root mounts a small disk'),
    disk: { brokerId: 2, bytes: 60_000_000 },
    breaks: true,
    plan: { messageBytes: 10_000, np: 10, unitRate: 40 },
  },
];

function pidsOf(cluster) {
  return cluster.brokers.map(({ pid }) => pid);
}

/** @returns what lets the broker go on. */
function pause(cluster, brokerId) {
  const { pid } = cluster.brokers.find(({ id }) => id === brokerId);
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}

/** Load children below this process, the spare one too. */
function loadChildren() {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, parent, command]) => ({ pid: Number(pid), parent: Number(parent), command }));
  const below = new Set([process.pid]);
  for (let size = 0; size < below.size; ) {
    size = below.size;
    for (const { pid, parent } of processes) if (below.has(parent)) below.add(pid);
  }
  return processes.flatMap(({ pid, command }) =>
    below.has(pid) && command.includes('workers/load-child.js') ? [pid] : [],
  );
}

/** A disk in memory that holds no more than `bytes`. */
export function mountSmallDisk({ bytes }) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  const data = join(folder, 'data');
  mkdirSync(data);
  return {
    data,
    release: () => {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Settings that every row starts from. */
export const USUAL = { flags: {}, atSeconds: 0 };
