import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunDocument } from '../../boundary/run-document.ts';
import { curveCsv } from '../../charts/curve-csv.ts';
import { curveJson } from '../../charts/curve-json.ts';
import { curvePng } from '../../charts/curve-png.ts';
import { curveSvg } from '../../charts/curve-svg.ts';
import { reportHtml } from '../../charts/report-html.ts';
import { messageOf, PlimsollError } from '../errors.ts';
import { makeFolder } from '../process/make-folder.ts';

/** Paths of the files of a report. */
export interface ReportFiles {
  readonly curveJson: string;
  readonly curveCsv: string;
  readonly curveSvg: string;
  readonly curvePng: string;
  readonly reportHtml: string;
}

/**
 * Writes the data, the pictures and the report of a run into `directory`, which is made when it is not there.
 * Each file appears whole or not at all; an older one is replaced. The data goes first, so that a picture that
 * cannot be drawn costs no numbers.
 * @throws PlimsollError DISK_FULL or STORE_FAILED.
 */
export async function writeReport(document: RunDocument, directory: string): Promise<ReportFiles> {
  const files: ReportFiles = {
    curveJson: join(directory, 'curve.json'),
    curveCsv: join(directory, 'curve.csv'),
    curveSvg: join(directory, 'curve.svg'),
    curvePng: join(directory, 'curve.png'),
    reportHtml: join(directory, 'report.html'),
  };
  makeDirectory(directory);
  await writeWhole(files.curveJson, curveJson(document));
  await writeWhole(files.curveCsv, curveCsv(document));
  await writeWhole(files.reportHtml, reportHtml(document));
  const svg = curveSvg(document);
  await writeWhole(files.curveSvg, svg);
  await writeWhole(files.curvePng, await curvePng(svg));
  return files;
}

function makeDirectory(directory: string): void {
  try {
    makeFolder(directory);
  } catch (error) {
    throw writeFailure(directory, error);
  }
}

async function writeWhole(path: string, content: string | Buffer): Promise<void> {
  // beside its place, since a rename is atomic only within one file system
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, content, { flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw writeFailure(path, error);
  }
}

/** Turns a file system error into what the user can do about it. */
export function writeFailure(path: string, error: unknown): PlimsollError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new PlimsollError(
      'DISK_FULL',
      `no space left to write ${path}: free some or choose another directory, then write the report again`,
      { cause: error },
    );
  }
  return new PlimsollError(
    'STORE_FAILED',
    `cannot write ${path} (${messageOf(error)}): check that the directory exists and may be written to`,
    { cause: error },
  );
}
