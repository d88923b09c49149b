import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRunDocument } from '../../charts/curve-json.ts';
import { PlimsollError } from '../../src/errors.ts';
import { writeFailure, writeReport } from '../../src/report/write-report.ts';
import { sampleDocument } from '../charts/sample-document.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plimsoll-report-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('writeReport', () => {
  it('writes five whole files into a new directory and leaves no temporary one', async () => {
    const target = join(directory, 'runs', 'a');
    const files = await writeReport(sampleDocument(), target);
    expect((await readdir(target)).sort()).toEqual([
      'curve.csv',
      'curve.json',
      'curve.png',
      'curve.svg',
      'report.html',
    ]);
    for (const path of Object.values(files)) expect((await stat(path)).size).toBeGreaterThan(400);
    expect(parseRunDocument(await readFile(files.curveJson, 'utf8'))).toEqual({
      kind: 'document',
      document: sampleDocument(),
    });
  });

  it('replaces an older report', async () => {
    await writeFile(join(directory, 'curve.csv'), 'old');
    const files = await writeReport(sampleDocument(), directory);
    expect(await readFile(files.curveCsv, 'utf8')).toMatch(/^run_id,/);
  });

  it('says in one line where it cannot write', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    const error = await writeReport(sampleDocument(), join(file, 'below')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlimsollError);
    expect(error).toMatchObject({ code: 'STORE_FAILED' });
    expect(String(error)).toContain(join(file, 'below'));
    expect(String(error)).not.toContain('\n');
  });
});

describe('writeFailure', () => {
  it.each([
    ['ENOSPC', 'DISK_FULL', 'a full disk'],
    ['EDQUOT', 'DISK_FULL', 'a full quota'],
    ['EACCES', 'STORE_FAILED', 'no permission'],
  ])('turns %s into %s: %s', (systemCode, code) => {
    const error = writeFailure(
      '/data/curve.json',
      Object.assign(new Error(systemCode), { code: systemCode }),
    );
    expect(error.code).toBe(code);
    expect(error.message).toContain('/data/curve.json');
  });
});
