import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchEvent } from '../../boundary/search/search.ts';
import { openStore } from '../../src/store/store.ts';
import { processesOf, startPlimsoll } from './plimsoll-command.ts';
import { startTestCluster, type TestCluster } from './test-cluster.ts';

let test: TestCluster;

beforeAll(async () => {
  test = await startTestCluster();
});
afterAll(async () => {
  for (const { pid } of test?.cluster.brokers ?? []) process.kill(pid, 'SIGCONT');
  await test?.stop();
});

/** The connections of the probe stand, and its first rate is offered. */
const UNDER_LOAD_MS = 8_000;

/** The followers leave after 4 s here, a broker that stands still is given up after 9 s; the shards then drain. */
const SECONDS_TO_END = 45;

describe('a load that puts the cluster at risk', () => {
  it('is stopped within seconds, and counts as too much when the run goes on', async () => {
    // Every partition needs all three replicas, so that one broker that stands still makes producers with acks=all fail.
    const args = ['find', '--bpm', '1kB', '--topic-config', 'min.insync.replicas=3'];
    const run = startPlimsoll(args, test.folder, 'at-risk');
    await run.until(/probing/);
    await sleep(UNDER_LOAD_MS);
    const broker = test.cluster.brokers[2];
    const stoppedAtMs = performance.now();
    process.kill(broker?.pid ?? 0, 'SIGSTOP');
    const { status, stderr } = await run.done;
    const seconds = (performance.now() - stoppedAtMs) / 1_000;
    process.kill(broker?.pid ?? 0, 'SIGCONT');
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^plimsoll: broker \d has \d+ partitions? under min ISR, 0 before the load: the load was stopped; .*--resume/,
    );
    expect(status).toBe(69);
    expect(seconds).toBeLessThan(SECONDS_TO_END);
    expect(processesOf('at-risk')).toEqual([]);

    const store = openStore(join(test.folder, '.plimsoll'));
    const { runId } = store.listRuns().at(-1) ?? { runId: '' };
    const events = store.events(runId) as SearchEvent[];
    store.close();
    const probe = events.at(-1);
    expect(probe?.type).toBe('probeFinished');
    expect(probe?.type === 'probeFinished' && probe.steps.at(-1)?.isAtRisk).toBe(true);
  });
});
