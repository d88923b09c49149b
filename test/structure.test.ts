import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCycle, readSource, readSourceTree, type SourceFile } from './source-tree.ts';

const PRODUCT = readSourceTree(resolve('.'), ['boundary', 'charts', 'src', 'workers']);
const TESTS = readSourceTree(resolve('.'), ['test']);

/** What may not import what, as ARCHITECTURE.md has it: boundary <- charts <- src <- workers. */
const FORBIDDEN: readonly { from: RegExp; to: RegExp; why: string }[] = [
  { from: /^boundary\//, to: /^(?!boundary\/)/, why: 'the core stands alone' },
  {
    from: /^charts\//,
    to: /^(src|workers|test)\/|^node:(?!path|module|url)/,
    why: 'charts turn data into strings and buffers',
  },
  { from: /^src\/(?!cli\/)/, to: /^workers\//, why: 'only the composition root starts workers' },
  { from: /^src\//, to: /^test\//, why: 'the product does not know its tests' },
  { from: /^src\/(?!cli\/)/, to: /^src\/cli\//, why: 'commands are the outermost layer' },
  {
    from: /^workers\//,
    to: /^src\/(signals|store|controller|doctor|report|local-cluster|redis|cli)\//,
    why: 'load only',
  },
  { from: /^workers\//, to: /^(charts|test)\//, why: 'a worker draws nothing' },
  { from: /^src\/signals\//, to: /^src\/queue\//, why: 'looking does not depend on loading' },
  { from: /^src\/queue\//, to: /^src\/signals\//, why: 'loading does not depend on looking' },
];

/** What would make the core answer differently for the same input, or do something besides answering. */
const IMPURE =
  /\bDate\b|\bMath\.random\b|\bprocess\b|\bconsole\b|\basync\b|\bawait\b|\bPromise\b|\bset(Timeout|Interval|Immediate)\b|\bperformance\b|\bglobalThis\b|\bfetch\b|\bcrypto\b/;

const ANY_TYPE = /(?:[:<|&]|\bas|=>|\bextends)\s*any\b(?!\s*[.(])/;

function offending(files: readonly SourceFile[], isBad: (file: SourceFile) => boolean): string[] {
  return files.filter(isBad).map(({ path }) => path);
}

function importsBoth(file: SourceFile): boolean {
  const targets = file.imports.map(({ target }) => target);
  return ['src/signals/', 'src/queue/'].every((folder) =>
    targets.some((target) => target.startsWith(folder)),
  );
}

describe('directions', () => {
  it.each(FORBIDDEN)('$from imports nothing of $to: $why', ({ from, to }) => {
    const found = PRODUCT.filter(({ path }) => from.test(path)).flatMap(({ path, imports }) =>
      imports.filter(({ target }) => to.test(target)).map(({ target }) => `${path} -> ${target}`),
    );
    expect(found).toEqual([]);
  });

  it('only the controller, the doctor and the commands join signals and queue', () => {
    const others = PRODUCT.filter(({ path }) => !/^src\/(controller|doctor|cli)\//.test(path));
    expect(offending(others, importsBoth)).toEqual([]);
  });

  it('there are no cycles', () => {
    expect(findCycle(PRODUCT)).toEqual([]);
  });

  it('imports name files that are there, by their .ts name', () => {
    const paths = new Set([...PRODUCT, ...TESTS].map(({ path }) => path));
    const lost = PRODUCT.flatMap(({ path, imports }) =>
      imports
        .filter(({ isFile, target }) => isFile && !paths.has(target) && !target.endsWith('.json'))
        .map(({ target }) => `${path} -> ${target}`),
    );
    expect(lost).toEqual([]);
  });
});

describe('house rules', () => {
  it('boundary/ is pure', () => {
    const core = PRODUCT.filter(({ path }) => path.startsWith('boundary/'));
    expect(core.length).toBeGreaterThan(0);
    expect(offending(core, ({ code }) => IMPURE.test(code))).toEqual([]);
  });

  it('one file imports node-rdkafka', () => {
    const importers = offending(PRODUCT, ({ imports }) =>
      imports.some(({ target }) => target === 'node-rdkafka'),
    );
    expect(importers).toEqual(['src/kafka/rdkafka.ts']);
  });

  it('the environment is read in src/config alone', () => {
    const readers = offending(PRODUCT, ({ code }) =>
      /\bprocess\s*\.\s*env\b|\benv\b[^=]*\}\s*=\s*process\b/.test(code),
    );
    expect(readers.filter((path) => !path.startsWith('src/config/'))).toEqual([]);
  });

  it('no file is longer than 300 lines', () => {
    expect(offending([...PRODUCT, ...TESTS], ({ lines }) => lines > 300)).toEqual([]);
  });

  it('there is no `any`, and the lint rule against it is not switched off anywhere', () => {
    expect(offending([...PRODUCT, ...TESTS], ({ code }) => ANY_TYPE.test(code))).toEqual([]);
    const rule = /biome-ignore.*(noExplicitAny|noNonNullAssertion)|@ts-(ignore|nocheck)/;
    expect(offending(PRODUCT, ({ comments }) => rule.test(comments))).toEqual([]);
  });

  it('files are named for one concept, in kebab case', () => {
    const badName = /(^|\/)(utils?|helpers?|manager|common|misc|shared)(\.ts|\/)|[A-Z_]/;
    expect(offending([...PRODUCT, ...TESTS], ({ path }) => badName.test(path))).toEqual([]);
  });

  it('each unit test mirrors a source folder, or stands at the top, with the set-up, or in the contract and e2e suites', () => {
    const sources = new Set(PRODUCT.map(({ path }) => path.slice(0, path.lastIndexOf('/'))));
    const folders = TESTS.map(({ path }) => path.slice('test/'.length, path.lastIndexOf('/')));
    const strays = folders.filter(
      (folder) => folder !== '' && !/^(contract|e2e|fixtures|deploy)/.test(folder),
    );
    expect(
      [...new Set(strays)].filter((folder) => ![...sources].some((source) => mirrors(folder, source))),
    ).toEqual([]);
  });
});

/** test/store mirrors src/store; test/boundary mirrors boundary. */
function mirrors(folder: string, source: string): boolean {
  return source === folder || source === `src/${folder}` || source.startsWith(`${folder}/`);
}

describe('the reading of sources', () => {
  const file = readSource(
    'src/a/b.ts',
    [
      "import type { A } from '../c.ts'; // from './comment.ts'",
      "import {\n  b,\n} from '@scope/pkg/deep';",
      "export { d } from './d.ts';",
      "const e = await import('./e.ts');",
      "import './f.ts';",
      `const text = \`Date $\{Date.now()} any\`; // process.env`,
      "const url = 'http://console'; const g: any = 1;",
    ].join('\n'),
  );

  it('finds every kind of import', () => {
    expect(file.imports.map(({ target, isTypeOnly }) => (isTypeOnly ? `type ${target}` : target))).toEqual([
      'type src/c.ts',
      '@scope/pkg',
      'src/a/d.ts',
      'src/a/e.ts',
      'src/a/f.ts',
    ]);
  });

  it('looks at code, not at comments and texts', () => {
    expect(file.code).not.toMatch(/process|console|comment/);
    expect(file.code).toContain('Date.now()');
    expect(IMPURE.test(file.code)).toBe(true);
    expect(ANY_TYPE.test(file.code)).toBe(true);
    expect(ANY_TYPE.test(readSource('x.ts', 'it.each<string>([]); expect.any(String); // : any').code)).toBe(
      false,
    );
  });

  it('finds a cycle, and none where only types go round', () => {
    const one = readSource('src/one.ts', "import { two } from './two.ts';");
    const two = readSource('src/two.ts', "import { one } from './one.ts';");
    const typesOnly = readSource('src/two.ts', "import type { One } from './one.ts';");
    expect(findCycle([one, two])).toEqual(['src/one.ts', 'src/two.ts', 'src/one.ts']);
    expect(findCycle([one, typesOnly])).toEqual([]);
  });
});
