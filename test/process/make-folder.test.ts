import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/process/make-folder.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'plimsoll-folder-'));
});
afterEach(() => rmSync(top, { recursive: true }));

describe('makeFolder', () => {
  it('makes a folder and those above it, and is content with one that is there', () => {
    makeFolder(join(top, 'a', 'b', 'c'));
    makeFolder(join(top, 'a', 'b', 'c'));
    expect(existsSync(join(top, 'a', 'b', 'c'))).toBe(true);
  });

  it('refuses a file in the way', () => {
    writeFileSync(join(top, 'file'), '');
    expect(() => makeFolder(join(top, 'file'))).toThrow(/EEXIST/);
    expect(() => makeFolder(join(top, 'file', 'below'))).toThrow(/ENOTDIR/);
  });

  it.runIf(process.platform === 'linux')(
    'ends where the system creates nothing; recursive mkdir does not',
    () => {
      expect(() => makeFolder('/proc/plimsoll/home')).toThrow(/ENOENT/);
    },
  );
});
