import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifyProcess, isAlive } from '../../src/process/process-identity.ts';
import { startPrivateRedis } from '../../src/redis/private-redis.ts';
import { openStore } from '../../src/store/store.ts';
import { plimsoll, processesOf, startPlimsoll } from './plimsoll-command.ts';
import { startTestCluster, type TestCluster } from './test-cluster.ts';

let test: TestCluster;
let poorPage: Server;
let poorUrl: string;

beforeAll(async () => {
  test = await startTestCluster();
  poorPage = createServer((_, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    response.end('# TYPE kafka_brokers gauge\nkafka_brokers 3\n');
  });
  await new Promise<void>((resolve) => poorPage.listen(0, '127.0.0.1', resolve));
  poorUrl = `http://127.0.0.1:${(poorPage.address() as AddressInfo).port}/metrics`;
});
afterAll(async () => {
  poorPage?.close();
  await test?.stop();
});

const pages = (): string =>
  Object.entries(test.cluster.metricsUrls)
    .map(([id, url]) => `${id}=${url}`)
    .join(',');

/** The one line that a failed command ends with. */
function lastLine(stderr: string): string {
  return stderr.trimEnd().split('\n').at(-1) ?? '';
}

describe('bad input: one line that says what to do, a non-zero exit, nothing left', () => {
  const cases: readonly (readonly [why: string, args: () => string[], status: number, line: RegExp])[] = [
    [
      'no broker answers there',
      () => ['--bootstrap', '127.0.0.1:1', '--metrics', pages()],
      69,
      /127\.0\.0\.1:1.*is it running/,
    ],
    [
      'the metrics URL is wrong',
      () => ['--metrics', pages().replace(/3=[^,]*/, '3=http://127.0.0.1:1/metrics')],
      69,
      /broker 3.*127\.0\.0\.1:1.*check the URL/,
    ],
    [
      'the page has no idle ratio',
      () => ['--metrics', pages().replace(/2=[^,]*/, `2=${poorUrl}`)],
      69,
      /kafka_exporter .* run the JMX exporter in each broker/,
    ],
    [
      'two pages are swapped',
      () => [
        '--metrics',
        `1=${test.cluster.metricsUrls['2']},2=${test.cluster.metricsUrls['1']},3=${test.cluster.metricsUrls['3']}`,
      ],
      64,
      /broker/,
    ],
    ['a size is above message.max.bytes', () => ['--bpm', '1kB,5MB'], 64, /5 MB.*message\.max\.bytes/],
    ['no Redis answers', () => ['--redis', 'redis://127.0.0.1:1'], 69, /[Rr]edis.*127\.0\.0\.1:1/],
    ['an unknown flag', () => ['--windw', '8s'], 64, /--window/],
    ['a window that is no duration', () => ['--window', 'soon'], 64, /--window/],
    ['a run that is not there', () => ['--resume', '20000101-000000-abc'], 64, /20000101-000000-abc/],
    ['a producer setting that librdkafka does not know', () => ['--producer', 'lingerms=5'], 64, /lingerms/],
  ];

  it.each(cases)('%s', async (why, args, status, line) => {
    const ended = await plimsoll(['find', '--bpm', '1kB', ...args()], test.folder, why);
    expect(ended.stderr).toMatch(line);
    expect(ended.status).toBe(status);
    expect(lastLine(ended.stderr)).toMatch(/^(plimsoll: |\(see )/);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
    expect(processesOf(why)).toEqual([]);
    expect(await test.topics()).toEqual([]);
  });
});

describe('trouble in mid-run: the recorded trials stay', () => {
  const trialsOfNewestRun = (): number => {
    const store = openStore(join(test.folder, '.plimsoll'));
    const count = store.listRuns().at(-1)?.trialCount ?? 0;
    store.close();
    return count;
  };
  const args = ['find', '--bpm', '1kB', '--window', '6s'];

  it('Redis goes away', async () => {
    const redis = await startPrivateRedis({ directory: join(test.folder, 'redis') });
    const run = startPlimsoll([...args, '--redis', redis.url], test.folder, 'no-redis');
    await run.until(/#1 .*(sustained|overloaded|invalid)/);
    await redis.stop();
    const { status, stderr } = await run.done;
    expect(status).toBe(69);
    expect(lastLine(stderr)).toMatch(/^plimsoll: .*Redis.*--resume/);
    expect(trialsOfNewestRun()).toBeGreaterThanOrEqual(1);
    expect(processesOf('no-redis')).toEqual([]);
    expect(await test.topics()).toEqual([]);
  });

  it('a second run on the same cluster is refused while one lives', async () => {
    const run = startPlimsoll(args, test.folder, 'first');
    await run.until(/probing/);
    const second = await plimsoll(args, test.folder, 'second');
    expect(second.status).toBe(75);
    run.child.kill('SIGINT');
    expect((await run.done).status).toBe(130);
    expect(await test.topics()).toEqual([]);
  });

  it('a broker is killed', async () => {
    const run = startPlimsoll(args, test.folder, 'broker-killed');
    await run.until(/#1 .*(sustained|overloaded|invalid)/);
    const broker = test.cluster.brokers[1];
    process.kill(broker?.pid ?? 0, 'SIGKILL');
    const { status, stderr } = await run.done;
    expect(status).toBe(69);
    expect(lastLine(stderr)).toMatch(/^plimsoll: .*broker 2.*--resume/);
    expect(trialsOfNewestRun()).toBeGreaterThanOrEqual(1);
    expect(processesOf('broker-killed')).toEqual([]);
    const identity = identifyProcess(broker?.pid ?? 0);
    expect(identity !== null && isAlive(identity)).toBe(false);
  });
});
