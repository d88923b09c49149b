import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '../../src/config/child-environment.ts';
import { builtFile } from '../../src/queue/built-file.ts';

/** Children inherit it, so that leftovers of a command can be told from everybody else's processes. */
const MARK_VARIABLE = 'E2E_MARK';

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly done: Promise<Finished>;
  /** Resolves when the output so far matches; fails when the command ends first. */
  until(pattern: RegExp): Promise<void>;
}

/** Starts the built command line in a folder, as a user would. `mark` names its processes (`processesOf`). */
export function startPlimsoll(args: readonly string[], folder: string, mark: string): Running {
  const child = spawn(process.execPath, [builtFile('src/cli/main.js'), ...args], {
    cwd: folder,
    env: childEnvironment({ [MARK_VARIABLE]: mark }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const watchers: (() => void)[] = [];
  const look = (): void => {
    for (const watcher of watchers) watcher();
  };
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    look();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    look();
  });
  const done = new Promise<Finished>((resolve) => {
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
  const until = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const watcher = (): void => {
        if (pattern.test(stdout + stderr)) resolve();
      };
      watchers.push(watcher);
      watcher();
      void done.then(({ status }) => reject(new Error(`ended with ${status} before ${pattern}: ${stderr}`)));
    });
  return { child, done, until };
}

/** Runs a command to its end. */
export function plimsoll(args: readonly string[], folder: string, mark: string): Promise<Finished> {
  return startPlimsoll(args, folder, mark).done;
}

/** Command lines of live processes that were started, however indirectly, by commands with this mark. Linux only. */
export function processesOf(mark: string): string[] {
  return markedProcesses(mark).map(({ command }) => command);
}

/** Ids of those whose command line has a text in it. */
export function pidsOf(mark: string, text: string): number[] {
  return markedProcesses(mark).flatMap(({ pid, command }) => (command.includes(text) ? [pid] : []));
}

function markedProcesses(mark: string): { readonly pid: number; readonly command: string }[] {
  const found: { readonly pid: number; readonly command: string }[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(join('/proc', pid, 'environ'), 'utf8');
      if (!environment.includes(`${MARK_VARIABLE}=${mark}`)) continue;
      const command = readFileSync(join('/proc', pid, 'cmdline'), 'utf8').replaceAll('\0', ' ');
      found.push({ pid: Number(pid), command });
    } catch {
      // Gone between the listing and the look.
    }
  }
  return found;
}
