// What polling costs the client: 50 brokers once a second, pages of 60 kB, gzip, over real connections; the brokers are
// fakes in a process of their own.
//
//   npm run build && node test/bench/polling.mjs
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startFleet } from '../signals/fake-fleet/start-fleet.mjs';

const BROKERS = 50;
const INTERVAL_MS = 1_000;
const PAGE_BYTES = 60_000;
const WARM_UP_MS = 8_000;
const MEASURED_MS = 20_000;
/** Of one core. */
const LARGEST_CPU_SHARE = 0.15;

const CLIENT = new URL('polling-client.mjs', import.meta.url).pathname;
const run = promisify(execFile);

/**
 * @returns rows of the table (objects with the same keys), whether the goal holds, and one line that sums it up.
 */
export async function runPollingBench() {
  const fleet = await startFleet({ brokers: BROKERS, pageBytes: PAGE_BYTES, misbehaves: false });
  try {
    const request = {
      urls: fleet.brokers.map(({ url }) => url),
      intervalMs: INTERVAL_MS,
      warmUpMs: WARM_UP_MS,
      measuredMs: MEASURED_MS,
    };
    const { stdout } = await run(process.execPath, [CLIENT, JSON.stringify(request)]);
    return judge(JSON.parse(stdout));
  } finally {
    await fleet.stop();
  }
}

function judge(measured) {
  const polls = measured.readings + measured.missed;
  const expected = (BROKERS * measured.elapsedMs) / INTERVAL_MS;
  const share = `${(100 * measured.cpuShare).toFixed(1)} %`;
  const rows = [
    {
      brokers: BROKERS,
      'page kB': PAGE_BYTES / 1_000,
      'on the wire kB': (measured.bytesPerScrape / 1_000).toFixed(1),
      'scrape ms': measured.scrapeMedianMs.toFixed(1),
      'polls/s': ((1_000 * polls) / measured.elapsedMs).toFixed(1),
      missed: measured.missed,
      'CPU of one core': share,
      'of that user': `${(100 * measured.cpuUserShare).toFixed(1)} %`,
      'CPU per scrape ms': ((measured.cpuShare * measured.elapsedMs) / polls).toFixed(2),
    },
  ];
  const isWhole = measured.missed === 0 && Math.abs(polls - expected) <= 2 * BROKERS;
  const holds = isWhole && measured.cpuShare < LARGEST_CPU_SHARE;
  const account = isWhole ? '' : `; only ${measured.readings} of about ${Math.round(expected)} readings`;
  const summary = `polling ${BROKERS} brokers at ${INTERVAL_MS / 1_000} s takes ${share} of one core (goal: under ${100 * LARGEST_CPU_SHARE} %)${account}`;
  return { rows, holds, summary };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { rows, holds, summary } = await runPollingBench();
  console.table(rows);
  console.log(`${holds ? 'ok' : 'FAILED'}: ${summary}`);
  process.exitCode = holds ? 0 : 1;
}
