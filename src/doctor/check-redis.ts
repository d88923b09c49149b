import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fleetCapacity } from '../../boundary/fleet-capacity.ts';
import { offerText } from '../../boundary/fleet-text.ts';
import { messageOf } from '../errors.ts';
import { connectQueue, type LoadQueue } from '../queue/load-queue.ts';
import { fleetOf } from '../queue/worker-fleet.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';

/** BullMQ needs the streams and Lua of this version. */
const OLDEST = [6, 2] as const;
/** A machine whose clock is farther off writes confusing dates; the windows themselves are on Redis time, ms. */
const LARGE_OFFSET_MS = 1_000;

/** Checks Redis, its eviction policy, the workers on it, and this machine's clock against its. */
export async function checkRedis(url: string | null, namespace: string): Promise<readonly CheckResult[]> {
  if (url === null) return [await checkRedisServer()];
  let queue: LoadQueue | null = null;
  try {
    queue = await connectQueue(url, { namespace });
    const { version, maxmemoryPolicy } = await queue.redisFacts();
    return [
      judgeRedisVersion(version),
      judgeEviction(maxmemoryPolicy),
      await checkWorkers(queue),
      judgeClock(Date.now() - queue.clock().nowMs(), queue.clock().errorMs),
    ];
  } catch (error) {
    const fix =
      'start Redis, correct redis.url or REDIS_URL, or leave it out: find then starts one of its own';
    return [fail('Redis', messageOf(error), fix)];
  } finally {
    await queue?.close();
  }
}

export function judgeRedisVersion(version: string): CheckResult {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  const wanted = OLDEST.join('.');
  if (isEnough) return ok('Redis', `version ${version}`);
  return fail('Redis', `version ${version} is older than ${wanted}`, `use Redis ${wanted} or later`);
}

/** Any policy but `noeviction` may drop the jobs of a running trial. */
export function judgeEviction(policy: string): CheckResult {
  const name = 'Redis eviction';
  if (policy === 'noeviction') return ok(name, policy);
  const fix = 'run: redis-cli config set maxmemory-policy noeviction';
  if (policy === 'unknown')
    return warn(name, 'maxmemory-policy cannot be read here', 'make sure it is noeviction');
  return fail(name, `maxmemory-policy is ${policy}: jobs may vanish in mid-trial`, fix);
}

export function judgeClock(offsetMs: number, errorMs: number): CheckResult {
  const name = 'clock of this machine';
  const detail = `${offsetMs.toFixed(1)} ms against Redis, known to ${errorMs.toFixed(1)} ms`;
  if (Math.abs(offsetMs) <= LARGE_OFFSET_MS) return ok(name, detail);
  return warn(
    name,
    `${detail}; windows are on Redis time, dates of reports are not`,
    'synchronise the clocks (NTP)',
  );
}

async function checkWorkers(queue: LoadQueue): Promise<CheckResult> {
  const workers = await queue.workers();
  if (workers.length === 0) {
    const fix =
      'nothing to do for a small cluster; else run `plimsoll worker` on other machines with this Redis';
    return warn('workers', 'none; find will start one on this machine', fix);
  }
  const list = workers
    .map(({ host, pid, concurrency }) => `${host}:${pid} (${concurrency} at once)`)
    .join(', ');
  const fleet = fleetCapacity(fleetOf(workers));
  const offer = fleet ? `together ${offerText(fleet.rates)}` : 'what they can offer is not known';
  const versions = new Set(workers.map((worker) => worker.librdkafkaVersion));
  if (versions.size > 1) {
    const detail = `${list}; librdkafka ${[...versions].join(' and ')}`;
    return warn('workers', detail, 'install the same version of Plimsoll on every worker');
  }
  return ok('workers', `${list}; ${offer}`);
}

async function checkRedisServer(): Promise<CheckResult> {
  try {
    const { stdout } = await promisify(execFile)('redis-server', ['--version']);
    const version = /v=(\S+)/.exec(stdout)?.[1] ?? '0';
    const judged = judgeRedisVersion(version);
    return judged.status === 'ok'
      ? ok('Redis', `none given: find starts its own, version ${version}`)
      : judged;
  } catch {
    return fail(
      'Redis',
      'none given, and no redis-server here',
      'install redis-server, or set redis.url or REDIS_URL',
    );
  }
}
