// Polls the brokers named by its argument and prints what that cost this process: the client side of polling.mjs, in a
// process of its own so that nothing else is counted.
import { setTimeout as sleep } from 'node:timers/promises';
import { BrokerPoller } from '../../dist/src/signals/broker-poller.js';
import { resolveSource } from '../../dist/src/signals/resolve-source.js';
import { scrapeSource } from '../../dist/src/signals/scrape-source.js';

const { urls, intervalMs, warmUpMs, measuredMs } = JSON.parse(process.argv[2]);
const clock = { nowMs: () => performance.timeOrigin + performance.now(), errorMs: 0 };
const request = { idleSelector: null, deadlineMs: 5_000, nowMs: clock.nowMs };

const brokers = await Promise.all(
  urls.map(async (url, i) => {
    const source = scrapeSource(url);
    const resolved = await resolveSource(source, request);
    if (resolved.kind === 'failed') throw new Error(`${url}: ${resolved.reason}`);
    return { brokerId: i + 1, source, resolution: resolved.resolution };
  }),
);
const poller = new BrokerPoller({ brokers, clock, intervalMs, deadlineMs: 5_000 });
poller.start(clock.nowMs());
await sleep(warmUpMs);

poller.mark();
const cpuBefore = process.cpuUsage();
const startMs = performance.now();
await sleep(measuredMs);
const cpu = process.cpuUsage(cpuBefore);
const elapsedMs = performance.now() - startMs;
const polls = poller.polls();
await poller.stop();
for (const { source } of brokers) source.close();

const costs = [...poller.costs().values()];
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const result = {
  readings: polls.filter(({ kind }) => kind === 'reading').length,
  missed: polls.filter(({ kind }) => kind === 'missed').length,
  cpuShare: (cpu.user + cpu.system) / 1_000 / elapsedMs,
  cpuUserShare: cpu.user / 1_000 / elapsedMs,
  scrapeMedianMs: median(costs.map(({ medianMs }) => medianMs)),
  bytesPerScrape: median(costs.map(({ bytes }) => bytes)),
  elapsedMs,
};
process.stdout.write(JSON.stringify(result));
