import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettingsFile } from '../../src/config/settings-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a settings file that is no YAML: one short line', () => {
  const doubled = [...'bcde'].map(
    (key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcd'[i]}`).join(',')}]`,
  );
  it.each([
    {
      why: 'aliases that unfold without end',
      yaml: ['a: &a [1,2,3,4,5,6,7,8,9]', ...doubled].join('\n'),
      line: /^plimsoll\.yaml: Excessive alias count/,
    },
    {
      why: 'bytes that are no text',
      yaml: `bpm: 1\n"${'\u0001\u001b[2J'.repeat(200)}": {\n`,
      line: /^plimsoll\.yaml:\d+: [\x20-\x7e]{1,160}$/,
    },
  ])('$why', ({ yaml, line }) => {
    writeFileSync(join(folder, 'plimsoll.yaml'), yaml);
    expect(() => readSettingsFile(undefined, folder)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(line) }),
    );
  });
});
