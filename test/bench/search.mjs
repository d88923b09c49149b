// npm run bench:search [-- --seeds FROM-TO] [--full] [--adaptive-only]
// Searches simulated clusters of every family of curves with the product's adaptive strategy and with its peers. Prints a
// table by family and noise, tables of reruns, of curves and of the time promised, a robustness table, and one line that sums up; exits 0 when the goals hold, else 1.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { CURVE_FAMILIES } from '../../dist/boundary/simulator/idle-curve.js';
import { CURVES, curveRow, summariseCurve } from './search-curve.mjs';
import { measureDecisionMs } from './search-decision.mjs';
import { etaRow, summariseEta } from './search-eta.mjs';
import { judgeGoals } from './search-goals.mjs';
import { RERUNS, rerunRow, summariseRerun } from './search-rerun.mjs';
import { ROBUSTNESS } from './search-robustness.mjs';
import { print, rowOf, summarise } from './search-tables.mjs';

const NOISES = [0.5, 1, 2];
const PEERS = ['plain bisection', 'majority of 3', 'MLRsearch rules', 'yes/no Bayes'];
/** Peers and robustness need fewer seeds: their figures are far from the goals, or have none. */
const PEER_SEEDS = 12;
const ROBUSTNESS_SEEDS = 8;
const RERUN_SEEDS = 4;
const USUAL_SEEDS = 60;
const FULL_FACTOR = 5;

const options = parse(process.argv.slice(2));
const startedAt = performance.now();
const seeds = Array.from({ length: options.to - options.from + 1 }, (_, i) => options.from + i);
const cases = [
  ...mainCases(),
  ...rerunCases(),
  ...curveCases(),
  ...(options.isAdaptiveOnly ? [] : [...peerCases(), ...robustnessCases()]),
];
const results = await runAll(cases);
report(results);

function parse(args) {
  const isFull = args.includes('--full');
  const count = USUAL_SEEDS * (isFull ? FULL_FACTOR : 1);
  const at = args.indexOf('--seeds');
  const range = at < 0 ? `60001-${60_000 + count}` : (args[at + 1] ?? '');
  const match = /^(\d+)-(\d+)$/.exec(range);
  if (!match || Number(match[2]) < Number(match[1])) {
    console.error(`--seeds takes FROM-TO, such as 60001-60060; got "${range}"`);
    process.exit(1);
  }
  const factor = isFull ? FULL_FACTOR : 1;
  const isAdaptiveOnly = args.includes('--adaptive-only');
  return { from: Number(match[1]), to: Number(match[2]), factor, isAdaptiveOnly };
}

function mainCases() {
  return NOISES.flatMap((noiseFactor) =>
    CURVE_FAMILIES.flatMap((family) =>
      seeds.map((seed) => ({ group: 'main', method: 'adaptive', seed, world: { family, noiseFactor } })),
    ),
  );
}

function peerCases() {
  const few = seeds.slice(0, PEER_SEEDS * options.factor);
  return PEERS.flatMap((method) =>
    NOISES.flatMap((noiseFactor) =>
      CURVE_FAMILIES.flatMap((family) =>
        few.map((seed) => ({ group: 'peer', method, seed, world: { family, noiseFactor } })),
      ),
    ),
  );
}

function robustnessCases() {
  const few = seeds.slice(0, ROBUSTNESS_SEEDS * options.factor);
  return ROBUSTNESS.flatMap(({ name, world = {}, mishaps, config }) =>
    CURVE_FAMILIES.flatMap((family) =>
      few.map((seed) => ({
        group: name,
        method: 'adaptive',
        seed,
        world: { ...world, family },
        mishaps,
        config,
      })),
    ),
  );
}

function rerunCases() {
  const few = seeds.slice(0, RERUN_SEEDS * options.factor);
  return RERUNS.flatMap((rerun) =>
    CURVE_FAMILIES.flatMap((family) =>
      few.map((seed) => ({
        group: `rerun ${rerun.name}`,
        method: 'adaptive',
        seed,
        world: { family, noiseFactor: rerun.noiseFactor ?? 1 },
        rerun,
      })),
    ),
  );
}

function curveCases() {
  const few = seeds.slice(0, RERUN_SEEDS * options.factor);
  return CURVES.flatMap((curve) =>
    CURVE_FAMILIES.flatMap((family) =>
      few.map((seed) => ({
        group: curve.name,
        method: 'adaptive',
        seed,
        world: { ...curve.world, family, noiseFactor: 1 },
        curve,
      })),
    ),
  );
}

/** Spreads the cases over one worker per core; each result keeps its case. */
async function runAll(all) {
  const workers = availableParallelism();
  const shares = Array.from({ length: workers }, (_, w) => all.filter((_, i) => i % workers === w));
  const parts = await Promise.all(
    shares.map(
      (share) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(new URL('./search-worker.mjs', import.meta.url), { workerData: share });
          worker.once('message', resolve);
          worker.once('error', reject);
        }),
    ),
  );
  return parts.flat();
}

function etaGroups(main, all) {
  const groups = NOISES.map((noise) => [
    `ten sizes, noise x${noise}`,
    main.filter(({ world }) => world.noiseFactor === noise),
  ]);
  groups.push([CURVES[0].name, all.filter(({ group }) => group === CURVES[0].name)]);
  for (const { name } of RERUNS.slice(0, 2)) {
    groups.push([`rerun, ${name}`, all.filter(({ group }) => group === `rerun ${name}`)]);
  }
  return groups.map(([name, results]) => ({ name, summary: summariseEta(results) }));
}

function report(all) {
  const main = all.filter(({ group }) => group === 'main');
  const peers = all.filter(({ group }) => group === 'peer');
  const byNoise = (rows, noise) => rows.filter(({ world }) => world.noiseFactor === noise);
  for (const noise of NOISES) {
    const rows = CURVE_FAMILIES.map((family) =>
      rowOf(
        `adaptive, ${family}`,
        summarise(byNoise(main, noise).filter(({ world }) => world.family === family)),
      ),
    );
    rows.push(rowOf('adaptive, all families', summarise(byNoise(main, noise))));
    for (const method of options.isAdaptiveOnly ? [] : PEERS) {
      rows.push(rowOf(method, summarise(byNoise(peers, noise).filter((result) => result.method === method))));
    }
    print(`noise x${noise}`, rows);
  }
  const robustness = ROBUSTNESS.map((kind) => ({
    kind,
    summary: summarise(all.filter(({ group }) => group === kind.name)),
  }));
  if (!options.isAdaptiveOnly) {
    print(
      'robustness, noise x1',
      robustness.map(({ kind, summary }) => rowOf(kind.name, summary)),
    );
  }
  const reruns = RERUNS.map((kind) => ({
    kind,
    summary: summariseRerun(all.filter(({ group }) => group === `rerun ${kind.name}`)),
  }));
  print(
    'rerun, all families',
    reruns.map(({ kind, summary }) => rerunRow(kind.name, summary)),
  );
  const curves = CURVES.map((kind) => ({
    kind,
    summary: summariseCurve(all.filter(({ group }) => group === kind.name)),
  }));
  print(
    'curve between the points, noise x1',
    curves.map(({ kind, summary }) => curveRow(kind.name, summary)),
  );
  const etas = etaGroups(main, all);
  print(
    'time that is left',
    etas.map(({ name, summary }) => etaRow(name, summary)),
  );
  const decisionMs = measureDecisionMs();
  console.log(`a decision after 200 trials takes ${decisionMs.toFixed(1)} ms`);
  const verdict = judgeGoals({
    main,
    peers,
    reruns,
    curves,
    etas,
    robustness: options.isAdaptiveOnly ? [] : robustness,
    decisionMs,
  });
  for (const miss of verdict.misses) console.log(`missed: ${miss}`);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  console.log(
    `bench:search ${verdict.misses.length === 0 ? 'holds' : 'misses'}: ${verdict.line}; seeds ${options.from}-${options.to}, ${minutes} min`,
  );
  process.exitCode = verdict.misses.length === 0 ? 0 : 1;
}
