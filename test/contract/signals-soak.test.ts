import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

it('polls a misbehaving fleet for 20 seconds: every gap accounted for, every reading true', async () => {
  const { stdout } = await run(process.execPath, ['test/outside/soak-signals.mjs', '0.34']);
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^ok: /);
});
