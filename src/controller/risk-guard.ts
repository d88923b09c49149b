import { setTimeout as sleep } from 'node:timers/promises';
import type { BrokerPoll } from '../../boundary/broker-reading.ts';
import { type ClusterRisk, findLeaderless, findRisk, leaderless } from '../../boundary/cluster-risk.ts';
import type { ClusterTrouble } from './cluster-trouble.ts';
import type { RunContext } from './run-context.ts';

/** Time between two looks at Kafka's metadata, ms; longer where one takes long, so that it stays a small load. */
const METADATA_EVERY_MS = 2_000;
const METADATA_REST = 10;
const METADATA_TIMEOUT_MS = 5_000;

const SINCE = 'before the load';

/**
 * Watches while a load runs whether it does harm: partitions under min ISR, offline, or without a leader that were not so
 * before. A partition counts as without a leader when two looks in a row say so, for an election takes a moment.
 * Owns a loop; `stop` it.
 */
export class RiskGuard {
  readonly #kafka: Pick<RunContext['kafka'], 'metadata'>;
  readonly #before: ClusterTrouble;
  readonly #everyMs: number;
  readonly #ended = new AbortController();
  #lostLeaders: ReadonlySet<string> = new Set();
  #found: ClusterRisk | null = null;

  /** @param everyMs shortest time between two looks at the metadata. */
  constructor(
    { kafka }: { readonly kafka: Pick<RunContext['kafka'], 'metadata'> },
    before: ClusterTrouble,
    everyMs = METADATA_EVERY_MS,
  ) {
    this.#kafka = kafka;
    this.#before = before;
    this.#everyMs = everyMs;
  }

  start(): void {
    void this.#watch();
  }

  stop(): void {
    this.#ended.abort();
  }

  /** @param polls the newest ones; what they once showed stays found. */
  riskIn(polls: readonly BrokerPoll[]): ClusterRisk | null {
    this.#found ??= findRisk(polls, this.#before.byBroker, SINCE);
    return this.#found;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#ended;
    let restMs = this.#everyMs;
    while (!signal.aborted && this.#found === null) {
      await sleep(restMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const askedAtMs = performance.now();
      await this.#look();
      restMs = Math.max(this.#everyMs, METADATA_REST * (performance.now() - askedAtMs));
    }
  }

  async #look(): Promise<void> {
    try {
      const now = leaderless((await this.#kafka.metadata(METADATA_TIMEOUT_MS)).topics);
      const still = now.filter((partition) => this.#lostLeaders.has(partition));
      this.#lostLeaders = new Set(now);
      this.#found ??= findLeaderless(still, this.#before.leaderless, SINCE);
    } catch {
      // A cluster that does not answer tells nothing of its partitions; the trial's own checks see that it is gone.
    }
  }
}
