import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plimsoll } from './plimsoll-command.ts';

let folder: string;
const taken = createServer();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-command-'));
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  taken.close();
  rmSync(folder, { recursive: true });
});

describe('a command that cannot be carried out: one line, its status, no stack', () => {
  const takenPort = () => String((taken.address() as AddressInfo).port);
  const cases: readonly (readonly [why: string, args: () => string[], status: number, line: RegExp])[] = [
    ['a bad flag of a subcommand', () => ['cluster', 'up', '--bad'], 64, /--bad/],
    [
      'a port that is taken',
      () => ['worker', '--redis', 'redis://127.0.0.1:1', '--metrics-port', takenPort()],
      74,
      /EADDRINUSE/,
    ],
    ['a port that is none', () => ['worker', '--metrics-port', '70000'], 64, /65535/],
    ['half a byte', () => ['find', '--bpm', '0.5'], 64, /bpm.*0\.5/],
  ];
  it.each(cases)('%s', async (why, args, status, line) => {
    const ended = await plimsoll(args(), folder, why);
    expect(ended.stderr).toMatch(line);
    expect(ended.status).toBe(status);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
  });
});
