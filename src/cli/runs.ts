import type { Command } from 'commander';
import { formatSizes, isSizeRange, type MessageSizes, sizesToStart } from '../config/message-sizes.ts';
import { PlimsollError } from '../errors.ts';
import { hasStore, openStore, type RunSummary, type Store } from '../store/store.ts';
import { type HomeFlags, homeOf, withHome } from './home.ts';
import { namedRun } from './named-run.ts';
import { runFolder } from './run-folder.ts';

/** Adds `plimsoll runs`, the list of what a home holds, and `plimsoll report`, which writes a run's files anew. */
export function addRunsCommand(program: Command): void {
  withHome(program.command('runs').description('list the runs of the home folder, oldest first'))
    .option('--json', 'one JSON document for machines')
    .action((flags: HomeFlags & { readonly json?: boolean }) => {
      const runs = readStore(flags, (store) => store.listRuns()) ?? [];
      process.stdout.write(flags.json ? runsJson(runs) : runsTable(runs));
    });
  withHome(program.command('report').description("write a run's curve and report anew from the database"))
    .argument('<RUN>', 'id of the run, as `plimsoll runs` shows it, or `last`')
    .option('--out <FOLDER>', 'folder for the files (default: runs/<run> in the home folder)')
    .action(async (wanted: string, flags: HomeFlags & { readonly out?: string }) => {
      const document = readStore(flags, (store) => store.runDocument(namedRun(store, wanted)));
      if (!document)
        throw new PlimsollError('RUN_UNKNOWN', `there are no runs in ${homeOf(flags)}; check --home`);
      // Loaded here: drawing takes a second to load, which no other command should wait for.
      const { writeReport } = await import('../report/write-report.ts');
      const files = await writeReport(document, flags.out ?? runFolder(homeOf(flags), document.run.runId));
      process.stdout.write(`${Object.values(files).join('\n')}\n`);
    });
}

/** Writes the runs as a table for people: id, state, start, sizes, points. */
export function runsTable(runs: readonly RunSummary[]): string {
  if (runs.length === 0) return 'no runs yet; `plimsoll find` makes one\n';
  const rows = runs.map((run) => [
    run.runId,
    statusOf(run),
    `${new Date(run.startedAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    formatSizes(sizesOf(run)),
    pointsText(run),
    String(run.trialCount),
  ]);
  const lines = [['run', 'status', 'started', 'sizes', 'points', 'trials'], ...rows];
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${text.join('\n')}\n`;
}

/** A simulated run must not pass for a measured one. */
function statusOf({ status, environment }: RunSummary): string {
  return environment.simulated === undefined ? status : `${status} (simulated)`;
}

/** Writes the runs as JSON: one array, times in ms since the epoch, sizes in bytes. */
export function runsJson(runs: readonly RunSummary[]): string {
  const entries = runs.map((run) => ({
    runId: run.runId,
    status: run.status,
    simulated: run.environment.simulated ?? null,
    startedAtMs: run.startedAtMs,
    finishedAtMs: run.finishedAtMs,
    error: run.error,
    cluster: run.cluster,
    messageBytes: allSizes(run),
    points: run.points,
    trials: run.trialCount,
  }));
  return `${JSON.stringify(entries, null, 2)}\n`;
}

function sizesOf(run: RunSummary): MessageSizes {
  const bpm = run.configuration.bpm as MessageSizes | undefined;
  return bpm ?? run.points.map((point) => point.messageBytes);
}

/** Of a range nobody knows before the end how many sizes it takes. */
function pointsText(run: RunSummary): string {
  const sizes = sizesOf(run);
  return isSizeRange(sizes) ? String(run.points.length) : `${run.points.length} of ${sizes.length}`;
}

/** Those asked for; of a range those found and those that it starts with. */
function allSizes(run: RunSummary): readonly number[] {
  const found = run.points.map((point) => point.messageBytes);
  return [...new Set([...sizesToStart(sizesOf(run)), ...found])].sort((a, b) => a - b);
}

/** Listing must not make a database where there is none. */
function readStore<T>(flags: HomeFlags, read: (store: Store) => T): T | null {
  const home = homeOf(flags);
  if (!hasStore(home)) return null;
  const store = openStore(home);
  try {
    return read(store);
  } finally {
    store.close();
  }
}
