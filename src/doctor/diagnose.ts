import { messageOf } from '../errors.ts';
import type { BrokerAddress } from '../signals/broker-page.ts';
import { findBrokerPages } from '../signals/broker-pages.ts';
import { checkClusterDisk, checkHomeDisk } from './check-disk.ts';
import { checkKafka } from './check-kafka.ts';
import { checkNode } from './check-node.ts';
import { checkPage, explainPage } from './check-page.ts';
import { judgePageClock } from './check-page-clock.ts';
import { checkRedis } from './check-redis.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DoctorTarget } from './doctor-target.ts';

/**
 * Checks everything a run needs, one result after the other as they come. Never throws for what it finds.
 * With metrics pages but no cluster, only the pages are looked at, each signal on a line of its own.
 */
export async function* diagnose(target: DoctorTarget): AsyncGenerator<CheckResult, void, undefined> {
  const urls = [...new Set(Object.values(target.metrics))];
  if (target.client === null && urls.length > 0) {
    yield* explainPages(urls, target.timeoutMs);
    return;
  }
  yield checkNode(target.nodeVersion);
  if (target.client === null) {
    yield fail(
      'brokers',
      'no address given',
      'set bootstrap to the addresses of the cluster (--bootstrap host:9092), or start one here with: plimsoll cluster up',
    );
  } else {
    const { checks, brokers } = await checkKafka(target.client, target.timeoutMs);
    yield* checks;
    if (brokers !== null) yield* checkPages(target, brokers);
  }
  yield* await checkRedis(target.redisUrl, target.namespace);
  yield await checkHomeDisk(target.home);
  if (target.localClusterDirectory !== null) {
    yield await checkClusterDisk(target.localClusterDirectory, target.byteBudget);
  }
}

async function* explainPages(urls: readonly string[], timeoutMs: number): AsyncGenerator<CheckResult> {
  for (const url of urls) {
    const { checks, resolution } = await checkPage(url, timeoutMs);
    yield* checks;
    if (resolution !== null) yield* explainPage(resolution);
  }
}

async function* checkPages(
  target: DoctorTarget,
  brokers: readonly BrokerAddress[],
): AsyncGenerator<CheckResult> {
  const { metrics, timeoutMs } = target;
  const given = [...new Set(Object.values(metrics))];
  const found = await matchPages(brokers, metrics, timeoutMs);
  const urls = given.length > 0 ? given : found.urls;
  for (const url of urls) {
    const { checks, page } = await checkPage(url, timeoutMs);
    yield* checks;
    if (page !== null) yield judgePageClock(url, page);
  }
  yield found.check;
}

async function matchPages(
  brokers: readonly BrokerAddress[],
  metrics: DoctorTarget['metrics'],
  timeoutMs: number,
): Promise<{ readonly urls: readonly string[]; readonly check: CheckResult }> {
  const name = 'pages of brokers';
  try {
    const pages = await findBrokerPages({ brokers, metrics, scrape: { timeoutMs } });
    const list = pages.map(({ brokerId, proof }) => `${brokerId}: ${proof}`).join('; ');
    const isProven = pages.every(({ proof }) => proof !== 'as given, unproven');
    const fix =
      'find will send a little load to each broker to make sure; or export kafka.server:type=app-info,id=*';
    return {
      urls: pages.map(({ url }) => url),
      check: isProven ? ok(name, list) : warn(name, list, fix),
    };
  } catch (error) {
    return {
      urls: [],
      check: fail(name, messageOf(error), 'set metrics to one page per broker: 1=URL,2=URL,...'),
    };
  }
}
