import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectKafka } from '../../src/kafka/kafka-connection.ts';
import { type PrivateRedis, startPrivateRedis } from '../../src/redis/private-redis.ts';
import { openStore } from '../../src/store/store.ts';
import {
  type Finished,
  pidsOf,
  plimsoll,
  processesOf,
  type Running,
  startPlimsoll,
} from './plimsoll-command.ts';
import { startTestCluster, type TestCluster } from './test-cluster.ts';

/** Precise enough not to be over after two trials. */
const SEARCH = ['--bpm', '1kB', '--window', '6s', '--precision', '10%', '--max-trials', '8'];
const FIRST_TRIAL = /#1 .*(sustained|overloaded|invalid)/;
/** After a trial is told, the next one connects, waits 2 s for its common start and warms up for 3 s: then it is in its window. */
const IN_WINDOW_MS = 7_000;
/** What a search ends with that has come to its end: converged, wide or at least, unstable. */
const ENDED = [0, 10, 11];

let test: TestCluster;

beforeAll(async () => {
  test = await startTestCluster();
});
afterAll(() => test?.stop());

function newestRun() {
  const store = openStore(join(test.folder, '.plimsoll'));
  const runId = store.listRuns().at(-1)?.runId ?? '';
  const trials = store.trials(runId);
  store.close();
  return { runId, trials };
}

/** Messages in all topics of Plimsoll. */
async function messagesThere(): Promise<number> {
  const kafka = await connectKafka({ 'bootstrap.servers': test.cluster.bootstrap }, 10_000);
  try {
    const { topics } = await kafka.metadata(10_000);
    const ours = topics.filter(({ name }) => name.startsWith('plimsoll-'));
    const counts = await Promise.all(
      ours.map(async ({ name, partitions }) => kafka.endOffsets(name, partitions.length)),
    );
    return counts.flat().reduce((sum, offset) => sum + offset, 0);
  } finally {
    await kafka.close();
  }
}

async function isSending(): Promise<boolean> {
  const before = await messagesThere();
  await sleep(700);
  return (await messagesThere()) > before;
}

/** Follows a search into the window of its second trial. */
async function intoSecondTrial(run: Running): Promise<void> {
  await run.until(FIRST_TRIAL);
  await sleep(IN_WINDOW_MS);
  expect(await isSending()).toBe(true);
}

async function expectGoesOn(more: readonly string[], mark: string): Promise<void> {
  const { runId, trials } = newestRun();
  expect(trials.length).toBeGreaterThanOrEqual(1);
  const { status, stderr } = await plimsoll(['find', '--resume', runId, ...more], test.folder, mark);
  expect(ENDED, stderr).toContain(status);
  expect(newestRun().trials.slice(0, trials.length)).toEqual(trials);
  expect(processesOf(mark)).toEqual([]);
}

function lastLine({ stderr }: Finished): string {
  return stderr.trimEnd().split('\n').at(-1) ?? '';
}

describe('kill -9 in mid-trial', () => {
  it('of one worker of two: that trial is invalid, and the search goes on with the one that joined later', async () => {
    const redis = await startPrivateRedis({ directory: join(test.folder, 'redis') });
    const startWorker = async (mark: string): Promise<Running> => {
      const worker = startPlimsoll(['worker', '--redis', redis.url], test.folder, mark);
      await worker.until(/waits for load jobs/);
      return worker;
    };
    const first = await startWorker('worker-1');
    const run = startPlimsoll(['find', ...SEARCH, '--redis', redis.url], test.folder, 'two-workers');
    await run.until(FIRST_TRIAL);
    const second = await startWorker('worker-2');
    await sleep(IN_WINDOW_MS);
    first.child.kill('SIGKILL');
    await first.done;
    await sleep(1_000);
    expect(processesOf('worker-1'), 'its load children end with it').toEqual([]);
    const { status, stderr } = await run.done;
    expect(ENDED, stderr).toContain(status);
    const verdicts = newestRun().trials.map(({ verdict }) => verdict);
    const lost = verdicts.findIndex(
      (verdict) => verdict.kind === 'invalid' && verdict.reason === 'shard lost',
    );
    expect(lost).toBeGreaterThan(0);
    expect(verdicts.slice(lost + 1).some(({ kind }) => kind !== 'invalid')).toBe(true);
    second.child.kill('SIGINT');
    expect((await second.done).status).toBe(0);
    await redis.stop();
  });

  it('of the only worker: its producers end at once, the run says how to go on, and goes on', async () => {
    const run = startPlimsoll(['find', ...SEARCH], test.folder, 'worker-killed');
    await intoSecondTrial(run);
    for (const pid of pidsOf('worker-killed', 'worker-process')) process.kill(pid, 'SIGKILL');
    await sleep(1_000);
    expect(await isSending()).toBe(false);
    const ended = await run.done;
    expect(ended.status).toBe(69);
    expect(lastLine(ended)).toMatch(/^plimsoll: .*no load worker.*--resume/);
    await expectGoesOn([], 'worker-killed-resumed');
  });

  it('of Redis: no producer sends 6 s later, the run says how to go on, and goes on with another Redis', async () => {
    const directory = join(test.folder, 'lost-redis');
    const redis = await startPrivateRedis({ directory });
    const run = startPlimsoll(['find', ...SEARCH, '--redis', redis.url], test.folder, 'redis-killed');
    await intoSecondTrial(run);
    process.kill(pidOf(directory), 'SIGKILL');
    await sleep(6_000);
    expect(await isSending()).toBe(false);
    const ended = await run.done;
    expect(ended.status).toBe(69);
    expect(lastLine(ended)).toMatch(/^plimsoll: .*Redis.*--resume/);
    await redis.stop();
    const another: PrivateRedis = await startPrivateRedis({ directory });
    await expectGoesOn(['--redis', another.url], 'redis-killed-resumed');
    await another.stop();
  });

  it('of the controller: no producer sends 6 s later, and the run goes on', async () => {
    const run = startPlimsoll(['find', ...SEARCH], test.folder, 'controller-killed');
    await intoSecondTrial(run);
    run.child.kill('SIGKILL');
    await run.done;
    await sleep(6_000);
    expect(await isSending()).toBe(false);
    expect(processesOf('controller-killed')).toEqual([]);
    await expectGoesOn([], 'controller-killed-resumed');
  });
});

function pidOf(redisDirectory: string): number {
  return (JSON.parse(readFileSync(join(redisDirectory, 'redis.json'), 'utf8')) as { pid: number }).pid;
}
