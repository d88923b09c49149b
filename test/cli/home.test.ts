import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HomeFlags, homeOf, withHome } from '../../src/cli/home.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-home-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function homeFrom(...args: string[]): string {
  const program = new Command().exitOverride();
  let flags: HomeFlags = {};
  withHome(program.command('x')).action((given: HomeFlags) => {
    flags = given;
  });
  program.parse(['x', ...args], { from: 'user' });
  return homeOf(flags);
}

describe('homeOf', () => {
  it('is the folder that find uses: flag over environment over file', () => {
    const file = join(folder, 'settings.yaml');
    writeFileSync(file, 'home: from-file\n');
    expect(homeFrom('--config', file)).toBe('from-file');
    vi.stubEnv('PLIMSOLL_HOME', 'from-environment');
    expect(homeFrom('--config', file)).toBe('from-environment');
    expect(homeFrom('--config', file, '--home', 'from-flag')).toBe('from-flag');
  });
});
