import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_ONE_SIDED_OR_WIDE, EXIT_UNSTABLE } from '../src/cli/exit-status.ts';
import { configTable } from '../src/config/config-table.ts';
import { ERROR_EXIT_CODES } from '../src/errors.ts';

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

describe('README', () => {
  it('holds the table of settings as the schema has it', () => {
    const table = /<!-- settings:.*?-->\n([\s\S]*?)<!-- \/settings -->/.exec(readme)?.[1];
    expect(table).toBe(configTable());
  });

  it('lists every exit status', () => {
    const statuses = new Set([0, EXIT_ONE_SIDED_OR_WIDE, EXIT_UNSTABLE, ...Object.values(ERROR_EXIT_CODES)]);
    for (const status of statuses) expect(readme).toContain(`\n| ${status} |`);
  });
});
