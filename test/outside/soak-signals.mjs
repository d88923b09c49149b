// Polls a fleet of 50 fake brokers once a second while they misbehave in every way that exporters do, and checks that
// memory and sockets stay bounded, that nothing is thrown, that every grid point is accounted for and every reading true.
//
//   npm run build && node test/outside/soak-signals.mjs [minutes]
import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BrokerPoller } from '../../dist/src/signals/broker-poller.js';
import { scrapeSource } from '../../dist/src/signals/scrape-source.js';
import { EPISODE_KINDS } from '../signals/fake-fleet/episodes.mjs';
import { PollAudit } from '../signals/fake-fleet/poll-audit.mjs';
import { startFleet } from '../signals/fake-fleet/start-fleet.mjs';

const BROKERS = 50;
const INTERVAL_MS = 1_000;
const DEADLINE_MS = 3_000;
/** After so long nothing can come for a point any more. */
const SETTLED_MS = 4 * DEADLINE_MS;
const WARM_UP_SHARE = 1 / 6;
const LARGEST_GROWTH = 0.2;
/** One kept open, one being asked anew. */
const SOCKETS_PER_BROKER = 2;
const MEMORY_MINUTES = 6;
const MOST_FAULTS_SHOWN = 20;
/** A machine that is busier than that tries nothing. */
const MOST_STARVED_SHARE = 0.05;

const minutes = Number(process.argv[2] ?? 30);
if (!(minutes > 0)) throw new Error('usage: soak-signals.mjs [minutes]');
const isLong = minutes >= MEMORY_MINUTES;
const clock = { nowMs: () => performance.timeOrigin + performance.now(), errorMs: 0 };

let rejections = 0;
process.on('unhandledRejection', (error) => {
  rejections++;
  console.log('unhandled rejection:', error);
});

let audit = null;
const kindsSeen = new Set();
const fleet = await startFleet(
  {
    brokers: BROKERS,
    pageBytes: 60_000,
    misbehaves: true,
    seed: 1,
    calmMs: isLong ? 30_000 : 8_000,
    patienceMs: DEADLINE_MS,
  },
  (entry) => {
    kindsSeen.add(entry.kind);
    audit?.onLog(entry);
  },
);
const socketsBefore = openSockets();
const sources = fleet.brokers.map(({ url }) => scrapeSource(url));
const originMs = clock.nowMs() + 500;
audit = new PollAudit(
  { brokers: fleet.brokers, originMs, intervalMs: INTERVAL_MS, deadlineMs: DEADLINE_MS },
  showFault,
);
const poller = new BrokerPoller({
  brokers: fleet.brokers.map(({ brokerId }, i) => {
    return { brokerId, source: audit.watched(brokerId, sources[i], clock.nowMs), resolution: null };
  }),
  clock,
  intervalMs: INTERVAL_MS,
  deadlineMs: DEADLINE_MS,
  onPoll: (poll) => audit.onPoll(poll),
});
poller.start(originMs);

const startMs = performance.now();
const endMs = startMs + minutes * 60_000;
const memory = [];
let mostSockets = 0;
let nextReportMs = startMs + 60_000;
while (performance.now() < endMs) {
  await sleep(Math.min(1_000, endMs - performance.now()));
  poller.mark();
  audit.settle(clock.nowMs() - SETTLED_MS);
  mostSockets = Math.max(mostSockets, openSockets() - socketsBefore);
  const atMinutes = (performance.now() - startMs) / 60_000;
  memory.push({ atMinutes, rssMB: process.memoryUsage.rss() / 1e6 });
  if (performance.now() < nextReportMs) continue;
  nextReportMs += 60_000;
  const left = Math.round(minutes - atMinutes);
  console.log(
    `${Math.round(atMinutes)} min: ${audit.readings} readings, ${missedCount()} missed, ${audit.faults} faults, ` +
      `RSS ${memory.at(-1).rssMB.toFixed(0)} MB, ${openSockets() - socketsBefore} sockets; ${left} min left`,
  );
}
const stoppedMs = clock.nowMs();
await poller.stop();
// The last words of the fleet are on their way.
await sleep(200);
audit.settle(stoppedMs);
for (const source of sources) source.close();
await sleep(200);
const socketsLeft = openSockets() - socketsBefore;
await fleet.stop();
report();

function openSockets() {
  // Connections that are kept open do not show among node's active resources.
  return readdirSync('/proc/self/fd').filter(isSocket).length;
}

function isSocket(fd) {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:');
  } catch {
    return false;
  }
}

function showFault(text) {
  if (audit.faults <= MOST_FAULTS_SHOWN) console.log(`  FAULT ${text}`);
}

function missedCount() {
  return [...audit.missed.values()].reduce((sum, count) => sum + count, 0);
}

/** RSS after warm-up: level at its beginning and growth to the end, by the line of least squares. */
function memoryTrend() {
  const points = memory.filter(({ atMinutes }) => atMinutes >= minutes * WARM_UP_SHARE);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanAt, meanMB] = [mean(points.map((p) => p.atMinutes)), mean(points.map((p) => p.rssMB))];
  const slope =
    points.reduce((sum, p) => sum + (p.atMinutes - meanAt) * (p.rssMB - meanMB), 0) /
    points.reduce((sum, p) => sum + (p.atMinutes - meanAt) ** 2, 0);
  const [first, last] = [points[0].atMinutes, points.at(-1).atMinutes];
  const firstMB = meanMB + slope * (first - meanAt);
  return { firstMB, lastMB: firstMB + slope * (last - first), growth: (slope * (last - first)) / firstMB };
}

function report() {
  for (const [reason, count] of [...audit.missed].toSorted(([, a], [, b]) => b - a)) {
    console.log(`  missed ${String(count).padStart(6)}  ${reason}`);
  }
  if (audit.starved > 0) console.log(`  of these ${audit.starved} for want of a processor`);
  const unseen = EPISODE_KINDS.filter((kind) => kind !== 'restart' && !kindsSeen.has(kind));
  const trend = memoryTrend();
  const problems = [
    ...(audit.faults > 0 ? [`${audit.faults} faults in the account`] : []),
    ...(rejections > 0 ? [`${rejections} unhandled rejections`] : []),
    ...(mostSockets > SOCKETS_PER_BROKER * BROKERS ? [`${mostSockets} sockets open`] : []),
    ...(socketsLeft > 0 ? [`${socketsLeft} sockets left after close`] : []),
    ...(unseen.length > 0 ? [`never happened: ${unseen.join(', ')}`] : []),
    ...(audit.starved > MOST_STARVED_SHARE * audit.readings ? [`${audit.starved} answers starved`] : []),
    ...(audit.readings < missedCount() / 2 ? ['hardly any readings'] : []),
    ...(isLong && trend.growth > LARGEST_GROWTH ? ['memory grows'] : []),
  ];
  const memoryText = `RSS ${trend.firstMB.toFixed(0)} -> ${trend.lastMB.toFixed(0)} MB (${(100 * trend.growth).toFixed(1)} % after warm-up)`;
  console.log(
    `${problems.length === 0 ? 'ok' : `FAILED (${problems.join('; ')})`}: ${minutes} min, ${BROKERS} brokers, ` +
      `${audit.readings} readings, ${missedCount()} missed (${audit.answeredLate} answered late), all accounted for: ` +
      `${audit.faults === 0 ? 'yes' : 'no'}; ${memoryText}; at most ${mostSockets} sockets; ${rejections} unhandled rejections`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}
