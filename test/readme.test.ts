import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_ONE_SIDED_OR_WIDE, EXIT_UNSTABLE } from '../src/cli/exit-status.ts';
import { configTable } from '../src/config/config-table.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { ERROR_EXIT_CODES } from '../src/errors.ts';

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

describe('README', () => {
  it('holds the table of settings as the schema has it', () => {
    const table = /<!-- settings:.*?-->\n([\s\S]*?)<!-- \/settings -->/.exec(readme)?.[1];
    expect(table).toBe(configTable());
  });

  it.each([
    {
      why: 'pages behind a password',
      index: 0,
      means: {
        metrics: ['https://kafka1/metrics', 'https://kafka2/metrics'],
        signals: { source: 'scrape', user: 'plimsoll', password: 'secret' },
      },
    },
    {
      why: 'settings and groups',
      index: 1,
      means: {
        bootstrap: ['kafka1:9092', 'kafka2:9092'],
        precision: 0.1,
        trial: { windowMs: 20_000 },
        client: { 'security.protocol': 'ssl' },
      },
    },
  ])('shows a settings file that is accepted: $why', ({ index, means }) => {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-readme-'));
    const file = join(folder, 'plimsoll.yaml');
    try {
      const shown = [...readme.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml]) => yaml);
      writeFileSync(file, shown[index] ?? '');
      const env = index === 0 ? { PLIMSOLL_SIGNALS_PASSWORD: 'secret' } : {};
      expect(loadConfig({ file, env, flags: {} })).toMatchObject(means);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('lists every exit status', () => {
    const statuses = new Set([
      0,
      1,
      EXIT_ONE_SIDED_OR_WIDE,
      EXIT_UNSTABLE,
      ...Object.values(ERROR_EXIT_CODES),
    ]);
    for (const status of statuses) expect(readme).toContain(`\n| ${status} |`);
  });
});
