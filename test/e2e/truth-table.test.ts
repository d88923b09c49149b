import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Those that take no privileges and leave the cluster as it was; the script itself runs all of them. */
const ROWS = [
  'a light load',
  'producer quota',
  'topic deleted under the load',
  'one broker stands still for 3 s',
];

it('harm to cluster and generator gives the verdict that the verdict page has for it', async () => {
  const script = join(import.meta.dirname, '../outside/truth-table.mjs');
  const child = spawn(process.execPath, [script, '--rows', ROWS.join()], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      told += chunk.toString();
    });
  }
  const status = await new Promise((resolve) => child.once('close', resolve));
  expect(told).toContain(`\n${ROWS.length} passed, 0 failed, 0 skipped`);
  expect(status).toBe(0);
});
