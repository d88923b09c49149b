import { relative } from 'node:path';
import type { RunDocument } from '../../boundary/run-document.ts';
import type { TrueLimit } from '../../boundary/simulator/true-limit.ts';
import { terminalTable } from '../../charts/terminal-table.ts';
import { processEnvironment } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import { findBoundary } from '../controller/find-boundary.ts';
import type { RerunRequest } from '../controller/prepare-run.ts';
import type { RunObserver } from '../controller/run-event.ts';
import { messageOf, PlimsollError } from '../errors.ts';
import { type ReportFiles, writeReport } from '../report/write-report.ts';
import type { Simulation } from '../simulate/read-simulation.ts';
import { simulateBoundary } from '../simulate/simulate-boundary.ts';
import { truthText } from '../simulate/truth-text.ts';
import { openStore } from '../store/store.ts';
import { brokerDisks } from './local-defaults.ts';
import { createProgress } from './progress.ts';
import type { ProgressSink } from './progress-event.ts';
import { runFolder } from './run-folder.ts';
import { tellProgress } from './tell-progress.ts';

export interface FindOutput {
  readonly document: RunDocument;
  readonly files: ReportFiles;
}

export interface RunFindRequest {
  readonly config: Config;
  /** In place of a real cluster; missing or null: the configuration's. */
  readonly simulation?: Simulation | null;
  readonly resume: string | null;
  /** Check what an earlier run found. */
  readonly rerun: RerunRequest | null;
  readonly isJson: boolean;
  /** Folder of the report files; null: runs/<run> of the home. */
  readonly out: string | null;
  readonly signal: AbortSignal;
}

/**
 * Runs a search with progress on standard error, writes the report and prints the result on standard output. A run that
 * ends in an error leaves a report of what it has, and says how to go on.
 */
export async function runFind(request: RunFindRequest): Promise<FindOutput> {
  const { config, isJson } = request;
  const sink = createProgress(isJson ? process.stdout : process.stderr, {
    isJson,
    idleLimit: config.thresholds.idleRatio,
  });
  let runId: string | null = null;
  const folder = (id: string) => request.out ?? runFolder(config.home, id);
  try {
    const { document, truths } = await search(request, {
      observe: tellProgress(request.simulation ? simulatedTime(sink) : sink),
      onRun: (id) => {
        runId = id;
        sink.tell({ type: 'note', text: `run ${id}` });
      },
    });
    sink.close();
    const files = await writeReport(document, folder(document.run.runId));
    const closing = truths === null ? '' : `\n${truthText(document, truths)}`;
    const result = { type: 'result', document, ...(truths === null ? {} : { trueLimits: truths }) };
    process.stdout.write(isJson ? `${JSON.stringify(result)}\n` : `${resultText(document, files)}${closing}`);
    return { document, files };
  } catch (error) {
    sink.close();
    const isOfRun = runId !== null && !request.simulation && error instanceof PlimsollError;
    const ended = isOfRun ? await withRun(error, runId ?? '', config.home, folder(runId ?? '')) : error;
    if (isJson) process.stdout.write(`${JSON.stringify(errorLine(ended))}\n`);
    throw ended;
  }
}

interface Told {
  readonly observe: RunObserver;
  readonly onRun: (runId: string) => void;
}

/** A search of the real cluster, or of the simulated one, whose true limits are known. */
async function search(
  request: RunFindRequest,
  told: Told,
): Promise<{ readonly document: RunDocument; readonly truths: readonly TrueLimit[] | null }> {
  const { simulation } = request;
  if (simulation) return simulateBoundary({ ...request, ...told, simulation });
  return {
    document: await findBoundary({ ...request, ...told, disks: brokerDisks(request.config) }),
    truths: null,
  };
}

/** Says with each time to come that it is not the watcher's. */
function simulatedTime(sink: ProgressSink): ProgressSink {
  return {
    tell: (event) => sink.tell(event.type === 'eta' ? { ...event, isSimulated: true } : event),
    close: () => sink.close(),
  };
}

/** What a machine reads in place of the result; people get the same sentence on standard error. */
function errorLine(error: unknown) {
  const code = error instanceof PlimsollError ? error.code : 'INTERNAL';
  return { type: 'error', code, message: messageOf(error) };
}

/** Keeps what a broken-off run has found, and tells how to go on. */
async function withRun(
  error: PlimsollError,
  runId: string,
  home: string,
  folder: string,
): Promise<PlimsollError> {
  const document = keptDocument(runId, home);
  if (document === null || document.trials.length === 0) return error;
  // The report can be written anew at any time; what ended the run is what the user has to hear of.
  await writeReport(document, folder).catch(() => undefined);
  return new PlimsollError(error.code, withResume(error.message, runId, document.trials.length), {
    cause: error,
  });
}

/** What the database has of a run; null when that, too, cannot be read. */
function keptDocument(runId: string, home: string): RunDocument | null {
  try {
    const store = openStore(home);
    try {
      return store.runDocument(runId);
    } finally {
      store.close();
    }
  } catch {
    return null;
  }
}

/** An error's line with the way to go on, which names the run, once. */
export function withResume(message: string, runId: string, trials: number): string {
  if (message.includes(runId)) return message;
  const kept = trials === 1 ? '1 trial is kept' : `${trials} trials are kept`;
  return `${message} (${kept}; go on with: plimsoll find --resume ${runId})`;
}

function resultText(document: RunDocument, files: ReportFiles): string {
  const columns = process.stdout.columns ?? 100;
  const table = terminalTable(document, { columns, isAscii: !isUtf8() });
  const shown = (path: string) => relative(process.cwd(), path) || path;
  return `\n${table}\nreport   ${shown(files.reportHtml)}\npicture  ${shown(files.curvePng)}\ndata     ${shown(files.curveJson)}, ${shown(files.curveCsv)}\n`;
}

function isUtf8(): boolean {
  const env = processEnvironment();
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}
