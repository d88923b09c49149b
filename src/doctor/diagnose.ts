import { checkClusterDisk, checkHomeDisk } from './check-disk.ts';
import { checkKafka } from './check-kafka.ts';
import { checkNode } from './check-node.ts';
import { checkRedis } from './check-redis.ts';
import { type CheckResult, fail } from './check-result.ts';
import { checkSignals, explainSignals } from './check-signals.ts';
import type { DoctorTarget } from './doctor-target.ts';

/**
 * Checks everything a run needs, one result after the other as they come. Never throws for what it finds.
 * With metrics pages but no cluster, only the pages are looked at, each signal on a line of its own.
 */
export async function* diagnose(target: DoctorTarget): AsyncGenerator<CheckResult, void, undefined> {
  const urls = [...new Set(Object.values(target.metrics))];
  if (target.client === null && urls.length > 0) {
    yield* explainSignals(target);
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
    if (brokers !== null) yield* checkSignals(target, brokers);
  }
  yield* await checkRedis(target.redisUrl, target.namespace);
  yield await checkHomeDisk(target.home);
  if (target.localClusterDirectory !== null) {
    yield await checkClusterDisk(target.localClusterDirectory, target.byteBudget);
  }
}
