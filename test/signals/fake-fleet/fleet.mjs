// Serves a fleet of fake brokers on loopback until its input ends.
//
//   node test/signals/fake-fleet/fleet.mjs '{"brokers":50,"pageBytes":60000,"misbehaves":true,"seed":1,"calmMs":30000,"patienceMs":3000}'
//
// The first line of its output tells the ports and truths, each further line what a broker did besides serving a good page.
import { brokerTruth, nowMs } from './broker-truth.mjs';
import { episodesOf } from './episodes.mjs';
import { startFakeBroker } from './fake-broker.mjs';
import { pageWriter, topicLines } from './fleet-page.mjs';

const HUGE_BYTES = 10_000_000;

const { brokers, pageBytes, misbehaves, seed, calmMs, patienceMs } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const writePage = pageWriter(pageBytes);
const filler = misbehaves ? topicLines(HUGE_BYTES) : '';
const truths = Array.from({ length: brokers }, (_, i) => brokerTruth(i + 1, 0.1 + (0.85 * i) / brokers));
const fleet = await Promise.all(
  truths.map((truth) => startFakeBroker({ truth, writePage, filler, patienceMs, log: say })),
);
say({
  kind: 'fleet',
  brokers: truths.map(({ brokerId, idleRatio, bootAtMs }, i) => {
    return { brokerId, idleRatio, bootAtMs, url: `http://127.0.0.1:${fleet[i].port}/metrics` };
  }),
});

if (misbehaves) {
  const startMs = nowMs();
  for (const [i, broker] of fleet.entries())
    void liveThrough(broker, episodesOf(i, { seed, calmMs }), startMs);
}

async function liveThrough(broker, episodes, startMs) {
  for (const { kind, atMs, endMs } of episodes) {
    await new Promise((resolve) => setTimeout(resolve, startMs + atMs - nowMs()));
    await broker.live({ kind, forMs: startMs + endMs - nowMs() });
  }
}

process.stdin.on('end', () => process.exit(0)).resume();
