import {
  type GroupReading,
  groupReadings,
  isGrowing,
  type LagGrowth,
  lagStretch,
  offeredPerSecond,
} from './consumer-lag.ts';
import { median } from './delivery.ts';
import type { ReaderReport, ReaderTick, TrialEvidence, Window } from './trial.ts';
import type { InvalidVerdict, Thresholds, Verdict } from './verdict.ts';

/** Fetched messages that wait for this much of what the group reads are a reader that does not take them, seconds. */
const WAITING_SECONDS = 0.25;

/** A thread that is busy for this share of the time has none to spare. */
const CEILING_RATIO = 0.95;

/** An event loop that usually stands still for this long takes messages late, ms. */
const LOOP_LAG_CEILING_MS = 250;

/** A group whose lag grows, and by how much. */
interface FallingGroup {
  readonly reading: GroupReading;
  readonly growth: LagGrowth;
}

/**
 * Rule 4, for runs with consumer groups: a lag that grows by more than a share of the offered rate, and by more than its
 * swings explain. Only brokers that do not deliver fast enough are overloaded; a reader that does not take what they
 * deliver, or has no CPU left, is the limit itself.
 */
export function judgeConsumerLag(evidence: TrialEvidence, thresholds: Thresholds): Verdict | null {
  const { readers = [], window } = evidence;
  const ticks = readers.map((reader) => reader.ticks);
  const offered = offeredPerSecond(
    evidence.shards.map((shard) => shard.ticks),
    lagStretch(window),
  );
  if (!(offered > 0)) return null;
  const limit = thresholds.lagGrowthShare * offered;
  const falling = groupReadings(ticks, window)
    .flatMap((reading): FallingGroup[] =>
      reading.growth && isGrowing(reading.growth, limit) ? [{ reading, growth: reading.growth }] : [],
    )
    .sort((a, b) => b.growth.perSecond - a.growth.perSecond);
  const limited = new Map(
    falling.map(({ reading }) => [reading.group, readerLimit(readers, reading, window)]),
  );
  const worst = falling.find(({ reading }) => limited.get(reading.group) === null) ?? falling[0];
  if (!worst) return null;
  const { growth, reading } = worst;
  const share = growth.perSecond / offered;
  const detail = `${groupName(reading.group)} falls behind by ${Math.round(growth.perSecond)} messages/s (${percent(share)} of the offered rate)`;
  const reader = limited.get(reading.group) ?? null;
  if (reader !== null)
    return { kind: 'invalid', reason: 'generator-limited', detail: `${detail}: ${reader}` };
  return {
    kind: 'overloaded',
    rule: 'consumer lag',
    brokerId: null,
    value: share,
    limit: thresholds.lagGrowthShare,
    detail,
  };
}

/** A lag that nobody knows is not a small one. Looked at when no other rule applied. */
export function requireLag({
  readers = [],
  readersExpected = 0,
  window,
}: TrialEvidence): InvalidVerdict | null {
  if (readersExpected === 0) return null;
  const readings = groupReadings(
    readers.map(({ ticks }) => ticks),
    window,
  );
  const unknown = readings.find(({ growth }) => growth === null);
  if (readings.length > 0 && !unknown) return null;
  const whose = unknown ? `the lag of ${groupName(unknown.group)}` : 'the lag of every group';
  return {
    kind: 'invalid',
    reason: 'lag unknown',
    detail: `${whose} was not known for long enough: the topic's end could not be read, or the window is too short`,
  };
}

/** How a group is called where the run is known: `group 2`. */
export function groupName(group: string): string {
  const number = /group-(\d+)$/.exec(group)?.[1];
  return `group ${number ?? group}`;
}

/** Why a reader of the group was itself too slow, naming its shard; null when all its readers had time to spare. */
function readerLimit(
  readers: readonly ReaderReport[],
  { group, consumedPerSecond }: GroupReading,
  window: Window,
): string | null {
  const stretch = lagStretch(window);
  for (const { shard, workerId, ticks } of readers) {
    const seen = ticks.filter(
      ({ atMs, groups }) =>
        atMs >= stretch.startAtMs && atMs <= stretch.endAtMs && groups.some((tick) => tick.group === group),
    );
    const lacked = lackOf(seen, group, consumedPerSecond);
    if (lacked !== null) return `its reader, shard ${shard} of worker ${workerId}, ${lacked}`;
  }
  return null;
}

function lackOf(ticks: readonly ReaderTick[], group: string, consumedPerSecond: number): string | null {
  const usual = (of: (tick: ReaderTick) => number | undefined) =>
    median(ticks.flatMap((tick) => of(tick) ?? []));
  const cpuCores = usual((tick) => tick.cpuCores) ?? 0;
  const waiting = usual(({ groups }) => groups.find((tick) => tick.group === group)?.fetched) ?? 0;
  const used = `used ${cpuCores.toFixed(2)} cores`;
  if (waiting > WAITING_SECONDS * consumedPerSecond && waiting > 0)
    return `${used} and left ${Math.round(waiting)} fetched messages waiting`;
  // Where the system does not tell of threads, a whole core is one that runs flat out.
  const busy = usual((tick) => tick.busiestThreadRatio) ?? cpuCores;
  if (busy >= CEILING_RATIO) return `${used} and had a thread without time to spare`;
  const loopLagMs = usual((tick) => tick.loopLagMs) ?? 0;
  return loopLagMs >= LOOP_LAG_CEILING_MS ? `${used} and stalled for ${Math.round(loopLagMs)} ms` : null;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
