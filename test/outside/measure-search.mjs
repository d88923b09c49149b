// Repeats whole searches on a real local cluster, the two strategies in turn, and prints how far their estimates agree.
// Then checks a finished run again, unchanged and after the topic's flush.messages was halved.
//
//   npm run build && node test/outside/measure-search.mjs [searches of each strategy, default 5] [adaptive|bisection] [--disk BYTES]
//
// --disk holds the disk of each broker to so many bytes a second (root, cgroup v1): without it the searches also show how much
// the disk of a shared machine changes meanwhile.
// The machine should do nothing else meanwhile. Every search counts: one that fails ends the measurement. Before them a
// short search warms the brokers up: those of a cluster that has just started are slower by what the JVM has not compiled yet.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatBytes } from '../../dist/boundary/units.js';
import { clusterStatus } from '../../dist/src/local-cluster/cluster-status.js';
import { limitDiskWrites } from './control-groups.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { disk: { type: 'string' } },
});
const searches = Number(positionals[0] ?? 5);
const diskBytesPerSecond = options.disk === undefined ? null : Number(options.disk);
if (!(searches >= 1) || !(diskBytesPerSecond === null || diskBytesPerSecond >= 1)) {
  throw new Error('usage: measure-search.mjs [searches of each strategy] [strategy] [--disk BYTES]');
}
const SIZES = '100,1kB,10kB';
const SETTINGS = ['--window', '10s', '--precision', '5%'];
/** Bisection takes what it needs; the adaptive search is held to what it promises. */
const MAX_TRIALS = { adaptive: '7', bisection: '12' };
const STRATEGIES = positionals[1] ? [positionals[1]] : ['adaptive', 'bisection'];
/** Fsync after every second message, then after every one. */
const FLUSH_BEFORE = 2;

const home = mkdtempSync(join(tmpdir(), 'plimsoll-measure-'));
const program = join(import.meta.dirname, '../../dist/src/cli/main.js');
let isDone = false;
let letGo = () => {};
try {
  plimsoll('cluster', 'up');
  if (diskBytesPerSecond !== null) {
    const { nodes } = clusterStatus(join(home, 'local-cluster'));
    const pids = nodes.filter(({ role }) => role === 'broker').map(({ pid }) => pid);
    letGo = limitDiskWrites(pids, home, diskBytesPerSecond);
  }
  find('warm-up', ['--max-trials', '4']);
  const runs = Object.fromEntries(STRATEGIES.map((strategy) => [strategy, []]));
  for (let i = 0; i < searches; i++) {
    for (const strategy of STRATEGIES)
      runs[strategy].push(
        find(`${strategy} ${i + 1}`, ['--strategy', strategy, '--max-trials', MAX_TRIALS[strategy]]),
      );
  }
  for (const strategy of STRATEGIES) printTable(strategy, runs[strategy]);
  if (runs.adaptive) check('unchanged', runs.adaptive.at(-1), []);
  const slower = find(`flush.messages=${FLUSH_BEFORE}`, ['--topic-config', `flush.messages=${FLUSH_BEFORE}`]);
  check('flush.messages halved', slower, ['--topic-config', `flush.messages=${FLUSH_BEFORE / 2}`]);
  isDone = true;
} finally {
  plimsoll('cluster', 'down');
  letGo();
  if (isDone) rmSync(home, { recursive: true, force: true });
  else console.log(`runs are kept in ${home}`);
}

function find(name, flags) {
  const startedMs = performance.now();
  const output = plimsoll('find', '--json', '--bpm', SIZES, ...SETTINGS, ...flags);
  const last = JSON.parse(output.trim().split('\n').at(-1));
  if (last.type !== 'result') throw new Error(`${name}: ${last.message}`);
  const run = { document: last.document, seconds: (performance.now() - startedMs) / 1_000 };
  console.log(`${name}: ${run.seconds.toFixed(0)} s`);
  for (const point of run.document.points) console.log(`  ${pointText(point)}`);
  return run;
}

function check(name, former, flags) {
  const { points } = find(`rerun, ${name}`, ['--rerun', former.document.run.runId, ...flags]).document;
  for (const { messageBytes, former: comparison, trials } of points) {
    const outcome = comparison ? `${comparison.outcome} (x ${comparison.ratio.toFixed(2)})` : 'not compared';
    console.log(`  rerun, ${name}: ${formatBytes(messageBytes)} ${outcome}, ${trials} trials`);
  }
}

function printTable(strategy, runs) {
  console.log(
    `\n${strategy}: median of ${runs.length}, farthest from it, intervals that hold it, median width, trials, seconds`,
  );
  for (const [i, { messageBytes }] of runs[0].document.points.entries()) {
    const points = runs.map(({ document }) => document.points[i]);
    const estimates = points.map(({ estimate }) => estimate);
    const middle = median(estimates);
    const farthest = Math.max(...estimates.map((estimate) => Math.abs(estimate / middle - 1)));
    const intervals = points.map(intervalOf).filter((interval) => interval !== null);
    const holding = intervals.filter(({ low, high }) => low <= middle && middle <= high).length;
    const widths = intervals.map(({ low, high }) => (high - low) / 2 / middle);
    console.log(
      `  ${formatBytes(messageBytes)}: ${middle.toFixed(0)}/s, ${percent(farthest)}, ${holding} of ${points.length}, ` +
        `+-${percent(median(widths))}, trials ${points.map(({ trials }) => trials).join(' ')}`,
    );
  }
  const seconds = runs.map((run) => run.seconds);
  console.log(
    `  search: median ${median(seconds).toFixed(0)} s (${seconds.map((s) => s.toFixed(0)).join(' ')})`,
  );
}

/** What a run says of the limit: its 95 % interval, or the bounds where it has none. */
function intervalOf({ interval, lower, upper }) {
  if (interval) return interval;
  return lower && upper ? { low: lower.messagesPerSecond, high: upper.messagesPerSecond } : null;
}

function pointText(point) {
  const interval = intervalOf(point);
  const range = interval ? ` (${interval.low.toFixed(0)}-${interval.high.toFixed(0)})` : '';
  const seconds = `${point.trials} trials, ${point.seconds.toFixed(0)} s`;
  return `${formatBytes(point.messageBytes)}: ${point.estimate?.toFixed(0) ?? '-'}/s${range}, ${point.quality}, ${seconds}`;
}

function plimsoll(...args) {
  const child = spawnSync(process.execPath, [program, ...args], {
    env: { ...process.env, PLIMSOLL_HOME: home },
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (child.error) throw child.error;
  return child.stdout;
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function percent(ratio) {
  return `${(100 * ratio).toFixed(1)} %`;
}
