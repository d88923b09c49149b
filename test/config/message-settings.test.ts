import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAIN_MESSAGES } from '../../boundary/payload/message-recipe.ts';
import { resumeConfig } from '../../src/cli/resume-config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { maskedConfig } from '../../src/config/masked-config.ts';
import { messageRecipe } from '../../src/config/message-recipe.ts';

let folder: string;
const path = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-messages-'));
  writeFileSync(path('lines.txt'), '{"a":1}\r\n\nsecond\n\xff', 'latin1');
  writeFileSync(path('empty.txt'), '\n\n');
  writeFileSync(path('large.txt'), 'x'.repeat(1_048_577));
  writeFileSync(path('sizes.txt'), '1kB\n\n 300 \n200\n');
  writeFileSync(path('words.txt'), '100\nten\n');
  writeFileSync(path('many.txt'), Array.from({ length: 5_000 }, (_, index) => index + 1).join('\n'));
  mkdirSync(path('records/more'), { recursive: true });
  writeFileSync(path('records/b.bin'), 'two\nlines');
  writeFileSync(path('records/a.bin'), 'one');
  writeFileSync(path('records/.hidden'), 'no');
});
afterAll(() => rmSync(folder, { recursive: true }));

const load = (flags: Record<string, unknown>) => loadConfig({ env: {}, flags, folder: '/nowhere' });
const recipeOf = (flags: Record<string, unknown>) => messageRecipe(load(flags));
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');

function problemOf(flags: Record<string, unknown>): string {
  try {
    load(flags);
    return 'accepted';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('messages', () => {
  it('are plain unless told otherwise', () => {
    expect(recipeOf({})).toEqual(PLAIN_MESSAGES);
  });

  it.each([
    { flags: { payload: 'random' }, means: { payload: { kind: 'random' } } },
    { flags: { payload: 'json' }, means: { payload: { kind: 'json' } } },
    { flags: { payload: 'constant:x' }, means: { payload: { kind: 'constant', character: 'x' } } },
    { flags: { payload: 'constant::' }, means: { payload: { kind: 'constant', character: ':' } } },
    { flags: { payload: 'compressible:0.4' }, means: { payload: { kind: 'compressible', ratio: 0.4 } } },
    { flags: { payload: ' compressible: 40% ' }, means: { payload: { kind: 'compressible', ratio: 0.4 } } },
    { flags: { sizes: 'fixed' }, means: { sizes: { kind: 'fixed' } } },
    { flags: { sizes: 'uniform:0.5' }, means: { sizes: { kind: 'uniform', spread: 0.5 } } },
    { flags: { sizes: 'lognormal:0.8' }, means: { sizes: { kind: 'lognormal', sigma: 0.8 } } },
    { flags: { keys: 'none' }, means: { keys: { kind: 'none' } } },
    { flags: { keys: 'round-robin:9' }, means: { keys: { kind: 'round robin', count: 9 } } },
    { flags: { keys: 'uniform:1e3' }, means: { keys: { kind: 'uniform', count: 1_000 } } },
    { flags: { keys: 'zipfian:50, 1.2' }, means: { keys: { kind: 'zipfian', count: 50, exponent: 1.2 } } },
    { flags: { keys: 'zipfian:50' }, means: { keys: { kind: 'zipfian', count: 50, exponent: 0.99 } } },
    { flags: { header: ['tenant=acme', 'try=1'] }, means: { headers: { tenant: 'acme', try: '1' } } },
  ])('are made of $flags', ({ flags, means }) => {
    expect(recipeOf(flags)).toEqual({ ...PLAIN_MESSAGES, ...means });
  });

  it('are read from a file, one a line, byte for byte', () => {
    expect(recipeOf({ payload: `file:${path('lines.txt')}` }).payload).toEqual({
      kind: 'samples',
      values: [base64('{"a":1}'), base64('second'), base64('\xff')],
    });
  });

  it('are read from a folder, one a file', () => {
    expect(recipeOf({ payload: `file:${path('records')}` }).payload).toEqual({
      kind: 'samples',
      values: [base64('one'), base64('two\nlines')],
    });
  });

  it('have the sizes of a file, of a long one as many as stand for it', () => {
    expect(recipeOf({ sizes: `file:${path('sizes.txt')}` }).sizes).toEqual({
      kind: 'sizes',
      bytes: [200, 300, 1_000],
    });
    const { sizes } = recipeOf({ sizes: `file:${path('many.txt')}` });
    const bytes = sizes.kind === 'sizes' ? sizes.bytes : [];
    expect(bytes).toHaveLength(1_024);
    expect(bytes.reduce((sum, size) => sum + size, 0) / bytes.length).toBeCloseTo(2_500.5, -1);
  });

  it.each([
    {
      flags: { payload: 'text' },
      problem:
        '--payload: messages.payload must be random, constant:x, compressible:0.4, json or file:FILE, not "text"',
    },
    {
      flags: { payload: 'compressible' },
      problem:
        '--payload: messages.payload must be random, constant:x, compressible:0.4, json or file:FILE, not "compressible"',
    },
    {
      flags: { payload: 'compressible:4' },
      problem:
        '--payload: messages.payload needs compressed size over size, from 0.05 to 1, as in compressible:0.4, not "4"',
    },
    {
      flags: { payload: 'constant:ab' },
      problem: '--payload: messages.payload needs one letter, digit or sign, as in constant:x, not "ab"',
    },
    {
      flags: { sizes: '100,1kB' },
      problem:
        '--sizes: messages.sizes must be fixed, uniform:0.5, lognormal:0.8 or file:FILE, not "100,1kB" (the sizes themselves are bpm)',
    },
    {
      flags: { sizes: 'uniform:2' },
      problem: '--sizes: messages.sizes needs a spread: uniform:0.5 is half to one and a half times the size',
    },
    {
      flags: { sizes: 'lognormal:3' },
      problem: '--sizes: messages.sizes needs a sigma above 0 and up to 2, as in lognormal:0.8, not "3"',
    },
    {
      flags: { keys: 'zipfian' },
      problem:
        '--keys: messages.keys must be none, round-robin:1000, uniform:1000 or zipfian:1000,0.99, not "zipfian"',
    },
    {
      flags: { keys: 'uniform:1000000' },
      problem:
        '--keys: messages.keys needs a count of keys from 1 to 100000, as in uniform:1000, not "1000000"',
    },
    {
      flags: { keys: 'zipfian:10,-1' },
      problem:
        '--keys: messages.keys needs an exponent above 0 and up to 5, as in zipfian:1000,0.99, not "-1"',
    },
    {
      flags: { header: ['tenant'] },
      problem: '--header: messages.headers must be NAME=VALUE, for example tenant=acme',
    },
  ])('are refused in one line: $flags', ({ flags, problem }) => {
    expect(problemOf(flags)).toBe(problem);
  });

  it.each([
    { name: 'absent.txt', setting: 'payload', says: 'names a file that is not there: "FILE"' },
    { name: '', setting: 'payload', says: 'needs the name of a file, as in file:samples.txt' },
    { name: 'empty.txt', setting: 'payload', says: 'names "FILE", which holds no message' },
    {
      name: 'large.txt',
      setting: 'payload',
      says: 'names "FILE", which holds 1.05 MB; up to 1 MiB can be used: give a part of it',
    },
    { name: 'empty.txt', setting: 'sizes', says: 'names "FILE", which holds no size' },
    {
      name: 'words.txt',
      setting: 'sizes',
      says: 'names "FILE", where "ten" is not a size such as 1200 or 1.5kB',
    },
  ])('are refused when the file is of no use: $name, $setting', ({ name, setting, says }) => {
    const file = name === '' ? '' : path(name);
    const problem = problemOf({ [setting]: `file:${file}` });
    const shownFile = file.length > 58 ? `${JSON.stringify(file).slice(0, 57)}...` : JSON.stringify(file);
    expect(problem).toBe(`--${setting}: messages.${setting} ${says.replace('"FILE"', shownFile)}`);
  });
});

describe('the record of the messages', () => {
  it('shows settings as they are given, and a file by name, count and hash', () => {
    const flags = { payload: `file:${path('lines.txt')}`, sizes: 'lognormal:.8', keys: 'zipfian:50' };
    expect(maskedConfig(load(flags)).messages).toEqual({
      payload: expect.stringMatching(/^file:.*lines\.txt \(3 messages, sha256 [0-9a-f]{12}\)$/),
      sizes: 'lognormal:0.8',
      keys: 'zipfian:50,0.99',
      headers: {},
    });
  });

  it('hides a header that is a secret, and a resumed run takes it from now', () => {
    const header = ['X-Api-Key=hush', 'tenant=acme'];
    const stored = maskedConfig(load({ header, payload: 'json' }));
    expect(JSON.stringify(stored)).not.toContain('hush');
    const resumed = resumeConfig(stored, load({ header, payload: 'random' }));
    expect(messageRecipe(resumed)).toMatchObject({
      payload: { kind: 'json' },
      headers: { 'X-Api-Key': 'hush', tenant: 'acme' },
    });
  });

  it('makes the same messages again, and no others when the file has changed', () => {
    writeFileSync(path('moving.txt'), 'one\ntwo\n');
    const stored = maskedConfig(load({ payload: `file:${path('moving.txt')}` }));
    const resumed = () => messageRecipe(resumeConfig(stored, load({})));
    expect(resumed().payload).toEqual({ kind: 'samples', values: [base64('one'), base64('two')] });
    writeFileSync(path('moving.txt'), 'one\nthree\n');
    expect(resumed).toThrow(/^messages\.payload names ".*", which has changed: it held 2 messages, sha256 /);
    rmSync(path('moving.txt'));
    expect(resumed).toThrow(/^messages\.payload names a file that is not there/);
  });
});
