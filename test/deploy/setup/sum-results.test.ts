import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/local-cluster/package-root.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-sum-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const report = (passed: number, failed: number, skipped: number, files: object[] = []) =>
  JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
    numTodoTests: 0,
    testResults: files,
  });
const brokenFile = { status: 'failed', assertionResults: [] };
const failedFile = { status: 'failed', assertionResults: [{ status: 'failed' }] };

describe('the closing line of the tests', () => {
  const cases: { files: Record<string, string>; line: string; status: number; reason: string }[] = [
    {
      files: { 'lint.status': '0', 'types.status': '0', 'unit.status': '0', 'unit.json': report(5, 0, 0) },
      line: '7 passed, 0 failed',
      status: 0,
      reason: 'checks count as one each',
    },
    {
      files: { 'lint.status': '1', 'unit.status': '0', 'unit.json': report(5, 0, 2) },
      line: '5 passed, 1 failed, 2 skipped',
      status: 1,
      reason: 'lint fails',
    },
    {
      files: { 'unit.status': '1', 'unit.json': report(5, 1, 0, [failedFile]) },
      line: '5 passed, 1 failed',
      status: 1,
      reason: 'a failed test is counted once, not with its file again',
    },
    {
      files: { 'unit.status': '1', 'unit.json': report(5, 0, 0, [brokenFile]) },
      line: '5 passed, 1 failed',
      status: 1,
      reason: 'a file that does not load',
    },
    {
      files: { 'unit.status': '1', 'unit.json': report(5, 0, 0) },
      line: '5 passed, 1 failed',
      status: 1,
      reason: 'an error outside of any test',
    },
    {
      files: { 'lint.status': '0', 'unit.status': '139' },
      line: '1 passed, 1 failed',
      status: 1,
      reason: 'vitest crashed before its report',
    },
    {
      files: { 'lint.status': '0', 'unit.status': '1', 'unit.json': '{"num' },
      line: '1 passed, 1 failed',
      status: 1,
      reason: 'vitest crashed in its report',
    },
    { files: {}, line: '0 passed, 0 failed', status: 1, reason: 'nothing ran: no success' },
  ];
  for (const { files, line, status, reason } of cases) {
    it(`${line}: ${reason}`, () => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      const script = join(packageRoot(), 'deploy', 'setup', 'sum-results.mjs');
      const run = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
      expect(run.stdout.trimEnd().split('\n').at(-1)).toBe(line);
      expect(run.status).toBe(status);
    });
  }
});
