import { setTimeout as sleep } from 'node:timers/promises';
import { PlimsollError } from '../errors.ts';
import { requireGivenBroker } from './assign-sources.ts';
import { readValues } from './broker-reading.ts';
import type { BrokerSource, CandidateSource } from './broker-source.ts';

/** Sends some bytes to partitions that this broker leads, and returns when they are acknowledged. */
export type SendToBroker = (brokerId: number) => Promise<void>;

/** Exporters may cache their beans for a while, and a server that scrapes is behind by an interval. */
const PATIENCE_MS = 5_000;
const REFRESHES_WAITED = 2.5;
const BETWEEN_LOOKS_MS = 500;
/** The page that moved must have moved this many times more than any other, as others may be in use. */
const CLEAR_LEAD = 3;

export interface LoadCheck {
  /** Brokers without a source. */
  readonly brokerIds: readonly number[];
  /** Sources without a broker. */
  readonly candidates: readonly CandidateSource[];
  readonly send: SendToBroker;
  readonly deadlineMs: number;
  readonly nowMs: () => number;
  /** How long to wait for bytes to show, ms; by default 5 s, or longer where a source is filled more seldom. */
  readonly patienceMs?: number;
}

/**
 * Tells whose source is whose by sending bytes to one broker after the other and watching which source's bytes-in move.
 * Bytes that followers fetch are counted elsewhere, so only the leader's moves. A source with nothing but a one-minute
 * rate of them cannot be proven: given for a broker, it is believed.
 * @throws PlimsollError METRICS_MISMATCH when no source moves clearly or another one than given; METRIC_MISSING when
 * a source that was not given for a broker has no bytes-in; METRICS_UNREACHABLE when one does not answer.
 */
export async function verifyByLoad(check: LoadCheck): Promise<readonly BrokerSource[]> {
  const watched: WatchedSource[] = [];
  const believed: BrokerSource[] = [];
  const mute: CandidateSource[] = [];
  const first = await Promise.all(check.candidates.map((candidate) => firstBytesIn(candidate, check)));
  for (const [index, candidate] of check.candidates.entries()) {
    const { source, resolution, givenTo } = candidate;
    const { count = null, atMs = 0 } = first[index] ?? {};
    if (count !== null) watched.push({ candidate, bytes: count, atMs });
    else if (givenTo === null) mute.push(candidate);
    else believed.push({ brokerId: givenTo, source, resolution, proof: 'as given, unproven' });
  }
  // One that cannot tell may be of another cluster, as long as there are enough that can.
  const [silent] = mute;
  if (silent !== undefined && watched.length + believed.length < check.brokerIds.length)
    throw noBytesIn(silent);
  const proven: BrokerSource[] = [];
  for (const brokerId of check.brokerIds.filter((id) => !believed.some((other) => other.brokerId === id))) {
    const left = watched.filter(({ candidate }) => !proven.some(({ source }) => source === candidate.source));
    if (left.length === 0) break;
    const moved = await findMoved(brokerId, left, check);
    requireGivenBroker(moved, brokerId, 'moved with load');
    const { source, resolution } = moved;
    proven.push({ brokerId, source, resolution, proof: 'moved with load' });
  }
  return [...believed, ...proven];
}

interface WatchedSource {
  readonly candidate: CandidateSource;
  /** As it stood at the latest look that had something to tell. */
  bytes: number;
  atMs: number;
}

async function findMoved(
  brokerId: number,
  watched: readonly WatchedSource[],
  check: LoadCheck,
): Promise<CandidateSource> {
  await Promise.all(watched.map((one) => lookAgain(one, check)));
  const before = watched.map(({ bytes }) => bytes);
  await check.send(brokerId);
  const sentMs = check.nowMs();
  const slowestMs = Math.max(...watched.map(({ candidate }) => candidate.source.refreshMs));
  const untilMs = sentMs + (check.patienceMs ?? PATIENCE_MS + REFRESHES_WAITED * slowestMs);
  do {
    await Promise.all(watched.map((one) => lookAgain(one, check)));
    const growth = watched
      .map(({ candidate, bytes, atMs }, index) => ({ candidate, atMs, bytes: bytes - (before[index] ?? 0) }))
      .sort((a, b) => b.bytes - a.bytes);
    const [first, second] = growth;
    const isClear =
      first !== undefined && first.bytes > 0 && first.bytes >= CLEAR_LEAD * (second?.bytes ?? 0);
    // Everything that was sent must be in, or the rest would move it when the next broker is asked.
    if (isClear && growth.every(({ atMs }) => atMs >= sentMs)) return first.candidate;
    await sleep(Math.min(BETWEEN_LOOKS_MS, Math.max(0, untilMs - check.nowMs())));
  } while (check.nowMs() < untilMs);
  const places = watched.map(({ candidate }) => candidate.source.place).join(', ');
  throw new PlimsollError(
    'METRICS_MISMATCH',
    `bytes sent to broker ${brokerId} showed on none of its possible pages (${places}); give metrics as a map of broker id to URL`,
  );
}

async function lookAgain(watched: WatchedSource, check: LoadCheck): Promise<void> {
  const read = await readBytesIn(watched.candidate, check);
  if (read === null) return;
  if (read.count === null) throw noBytesIn(watched.candidate);
  watched.bytes = read.count;
  watched.atMs = read.atMs;
}

/** Waits for something to read: what is filled by somebody else has nothing new with most looks. */
async function firstBytesIn(candidate: CandidateSource, check: LoadCheck): Promise<BytesIn> {
  const untilMs = check.nowMs() + PATIENCE_MS + REFRESHES_WAITED * candidate.source.refreshMs;
  for (;;) {
    const read = await readBytesIn(candidate, check);
    if (read !== null) return read;
    if (check.nowMs() >= untilMs) throw unreadable(candidate.source.place, 'shows nothing new');
    await sleep(BETWEEN_LOOKS_MS);
  }
}

interface BytesIn {
  readonly count: number | null;
  readonly atMs: number;
}

/** @returns the newest count, or null when there is nothing newer than at the look before. */
async function readBytesIn(
  { source, resolution }: CandidateSource,
  { deadlineMs, nowMs }: LoadCheck,
): Promise<BytesIn | null> {
  const look = await source.look({ wanted: resolution.wantedNames, deadlineMs, nowMs });
  if (look.kind === 'failed') throw unreadable(source.place, look.reason);
  const snapshot = look.snapshots.at(-1);
  if (snapshot === undefined) return null;
  const read = readValues(resolution, snapshot);
  if (read.kind === 'failed') throw unreadable(source.place, read.reason);
  return { count: read.values.bytesIn?.count ?? null, atMs: snapshot.atMs };
}

function unreadable(place: string, reason: string): PlimsollError {
  return new PlimsollError('METRICS_UNREACHABLE', `the page at ${place}: ${reason}; check the exporter`);
}

function noBytesIn({ source }: CandidateSource): PlimsollError {
  return new PlimsollError(
    'METRIC_MISSING',
    `the page at ${source.place} neither names its broker nor has a count of bytes-in to find out; export ` +
      'kafka.server:type=BrokerTopicMetrics,name=BytesInPerSec or kafka.server:type=app-info, or give metrics as a ' +
      'map of broker id to URL',
  );
}
