import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isGiven } from '../../src/config/load-config.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-given-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  { why: 'nowhere', yaml: 'confirm: 0', env: {}, flags: {}, given: false },
  { why: 'in the file', yaml: 'bpm: 1kB', env: {}, flags: {}, given: true },
  { why: 'as a variable', yaml: '', env: { PLIMSOLL_BPM: '1kB' }, flags: {}, given: true },
  { why: 'an empty variable is none', yaml: '', env: { PLIMSOLL_BPM: ' ' }, flags: {}, given: false },
  { why: 'as a flag', yaml: '', env: {}, flags: { bpm: '1kB' }, given: true },
])('tells whether a setting was given: $why', ({ yaml, env, flags, given }) => {
  writeFileSync(join(folder, 'plimsoll.yaml'), yaml);
  expect(isGiven({ env, flags, folder }, 'bpm')).toBe(given);
});
