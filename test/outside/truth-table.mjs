// Does harm to a real cluster, its network or the generator while one trial runs, and holds the verdict against the one that the
// verdict page has for it. Prints a table; exit 0 when all agree, 1 else. Rows that this machine cannot run are skipped and
// counted. Takes about 15 minutes; leave the machine alone.
//
//   npm run build && node test/outside/truth-table.mjs [--rows 'part of a name,...'] [--times 1] [--dist dist] [--verbose]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { importProgram, openTrialBench, verdictName } from './trial-bench.mjs';
import { mountSmallDisk, ROWS, USUAL } from './truth-table/rows.mjs';

const { values: args } = parseArgs({
  options: {
    rows: { type: 'string', default: '' },
    times: { type: 'string', default: '1' },
    dist: { type: 'string', default: join(import.meta.dirname, '../../dist') },
    verbose: { type: 'boolean', default: false },
  },
});
const wanted = args.rows.split(',');
const rows = ROWS.filter(({ name }) => wanted.some((part) => name.includes(part.trim())));
const program = await importProgram(resolve(args.dist));
const results = [];
let shared = null;
try {
  for (const row of rows)
    for (let time = 0; time < Number(args.times); time += 1) results.push(await runRow(row));
} finally {
  await shared?.stop();
}
process.exit(report() ? 0 : 1);

async function runRow(row) {
  const missing = row.lacks?.() ?? null;
  if (missing !== null) return told({ row, got: 'skipped', detail: missing });
  let place = null;
  try {
    place = await placeFor(row);
    return told({ row, ...(await judge(row, place)) });
  } catch (error) {
    return told({ row, got: `error: ${error.code ?? error.name}`, detail: error.message });
  } finally {
    if (place !== null && place !== shared) await place.stop();
    else if (row.breaks) await dropShared();
  }
}

/** The cluster that rows share, or one of the row's own where it needs another. */
async function placeFor(row) {
  if (row.path === undefined && row.disk === undefined) {
    shared ??= await openPlace({});
    return shared;
  }
  await dropShared();
  return openPlace(row);
}

async function dropShared() {
  await shared?.stop();
  shared = null;
}

async function openPlace({ path, disk }) {
  const directory = mkdtempSync(join(tmpdir(), 'plimsoll-truth-'));
  const undo = [() => rmSync(directory, { recursive: true, force: true })];
  const start = {};
  if (disk !== undefined) {
    const small = mountSmallDisk(disk);
    undo.push(small.release);
    start.dataFolders = { [disk.brokerId]: small.data };
  }
  if (path !== undefined) {
    start.clients = { kind: 'forwarded', advertisedPorts: await program.findFreePorts(3) };
  }
  const cluster = await program.startLocalCluster({ directory, keepRunning: false, ...start });
  undo.push(() => cluster.stop());
  if (path !== undefined) {
    await path.open(start.clients.advertisedPorts, cluster.clients.ports);
    undo.push(() => path.close());
  }
  return {
    cluster,
    /** Where a run comes in. */
    door: cluster.clients ? { ...cluster, bootstrap: cluster.clients.bootstrap } : cluster,
    stop: async () => {
      for (const step of undo.reverse()) await step();
    },
  };
}

/** One trial with the harm of a row. A light one comes first, so that brokers and producers have been used before. */
async function judge(row, { cluster, door }) {
  const { flags, atSeconds } = { ...USUAL, ...row };
  const bench = await openTrialBench(program, { cluster: door, flags, tell });
  const undo = [];
  const scene = { cluster, bench, path: row.path };
  const act = async (harm) => {
    const release = await harm?.(scene);
    if (typeof release === 'function') undo.push(release);
  };
  try {
    await bench.trial({ np: 10, unitRate: 20, windowMs: 5_000 });
    await act(row.before);
    let harm = Promise.resolve();
    bench.during(atSeconds, () => {
      harm = act(row.during);
      harm.catch(() => {});
    });
    const { verdict } = await bench.trial(row.plan);
    await harm;
    return { got: verdictName(verdict), detail: verdict.detail ?? idleText(verdict) };
  } finally {
    for (const release of undo.reverse()) await release();
    await bench.close();
  }
}

function idleText({ worst }) {
  return worst ? `broker ${worst.brokerId} idle ${worst.idle.ratio.toFixed(3)}` : '';
}

function tell(text) {
  if (args.verbose) console.error(`  ${text}`);
}

function told(result) {
  const mark = result.got === 'skipped' ? 'skip' : result.got === result.row.expected ? 'ok  ' : 'FAIL';
  console.log(`${mark}  ${result.row.name}: ${result.got}${result.detail ? ` (${result.detail})` : ''}`);
  return result;
}

function report() {
  const cells = results.map(({ row, got, detail }) => [
    row.name,
    row.expected,
    got,
    detail.replaceAll('|', '\\|'),
  ]);
  const lines = [['fault', 'expected', 'got', 'detail'], ['---', '---', '---', '---'], ...cells];
  console.log(`\n${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}`);
  const skipped = results.filter(({ got }) => got === 'skipped').length;
  const passed = results.filter(({ row, got }) => got === row.expected).length;
  const failed = results.length - passed - skipped;
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0;
}
