import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findProcessesByArgument } from '../../src/process/find-processes.ts';
import { spawnGuarded } from '../../src/process/guarded-child.ts';
import { identifyProcess } from '../../src/process/process-identity.ts';
import { waitUntil } from '../../src/process/wait-until.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-guard-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The mark is an argument of guard, watcher and child: whoever still has it is a leftover. */
function sleeper(name: string, script: string) {
  const mark = join(scratch, name);
  return {
    mark,
    command: { command: 'sh', args: ['-c', script, mark], logFile: join(scratch, `${name}.log`) },
  };
}

const isGone = (mark: string) => waitUntil(() => findProcessesByArgument(mark).length === 0, 3_000, 20);

describe('a guarded child', () => {
  const cases = [
    { name: 'obedient', script: 'while :; do sleep 0.05; done', reason: 'ends on SIGTERM' },
    { name: 'stubborn', script: 'trap "" TERM; while :; do sleep 0.05; done', reason: 'needs SIGKILL' },
  ];
  for (const { name, script, reason } of cases) {
    it(`leaves neither guard nor watcher when stopped: ${reason}`, async () => {
      const { mark, command } = sleeper(name, script);
      const child = await spawnGuarded(command);
      expect(identifyProcess(child.pid)).not.toBeNull();
      expect(findProcessesByArgument(mark).length).toBeGreaterThanOrEqual(2);
      await child.stop(100);
      expect(identifyProcess(child.pid)).toBeNull();
      expect(await isGone(mark)).toBe(true);
      await child.stop(100);
    });
  }

  it('takes the guard along when it ends by itself, and its output is in the log', async () => {
    const { mark, command } = sleeper('short', 'echo out; echo err >&2');
    const child = await spawnGuarded(command);
    expect(await waitUntil(() => child.hasExited(), 3_000, 20)).toBe(true);
    expect(await isGone(mark)).toBe(true);
    expect(readFileSync(command.logFile, 'utf8')).toBe('out\nerr\n');
  });

  it('is started with SIGTERM at its default, or a JVM would go on ignoring it', async () => {
    const { command } = sleeper('defaults', 'kill -TERM $$; echo still here');
    const child = await spawnGuarded(command);
    expect(await waitUntil(() => child.hasExited(), 3_000, 20)).toBe(true);
    expect(readFileSync(command.logFile, 'utf8')).not.toContain('still here');
  });
});
