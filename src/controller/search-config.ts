import type { FormerLimit, SearchConfig } from '../../boundary/search/search.ts';
import { isSizeRange, sizesToStart } from '../config/message-sizes.ts';
import type { Config } from '../config/schema.ts';

/** A follower leaves the ISR between 1 and 1.5 x replica.lag.time.max.ms after it fell behind. */
const ISR_HOLD_FACTOR = 1.5;

/** Long enough for two polled seconds after the change of rate, ms. */
const PROBE_STEP_MS = 3_000;

/**
 * The search's part of the configuration; stored with the run, so that a resumed run decides alike.
 * @param former what an earlier run of the same cluster found, where there is one to check.
 */
export function searchConfigOf(config: Config, former: readonly FormerLimit[] = []): SearchConfig {
  return {
    sizes: sizesToStart(config.bpm),
    ...(isSizeRange(config.bpm) ? { sizeRange: config.bpm } : {}),
    confirm: config.confirm,
    precision: config.precision,
    targetNp: config.load.targetNp,
    maxNp: config.load.maxNp,
    maxMegabytesPerSecond: config.load.maxMegabytesPerSecond,
    maxTrials: config.maxTrials,
    idleLimit: config.thresholds.idleRatio,
    withoutSignals: config.signals.source === 'none',
    warmUpMs: config.trial.warmUpMs,
    windowMs: config.trial.windowMs,
    // Without signals nobody sees the ISR, however long the hold.
    isrHoldMs: config.signals.source === 'none' ? 0 : Math.ceil(ISR_HOLD_FACTOR * config.replicaLagTimeMaxMs),
    probeStepMs: PROBE_STEP_MS,
    timeBudgetSeconds: config.timeBudgetMs === null ? null : config.timeBudgetMs / 1_000,
    holdMs: config.holdMs ?? 0,
    ...(former.length > 0 ? { former } : {}),
  };
}
