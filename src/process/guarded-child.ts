import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { messageOf, PlimsollError } from '../errors.ts';
import type { ChildHandle, ProcessCommand } from './child-handle.ts';
import { identifyProcess } from './process-identity.ts';
import { stopProcesses } from './stop-process.ts';

/**
 * The guard: a shell between this program and the child. Its standard input is a pipe that only this program holds open, so
 * the `read` ends when this program does, however it ends (kill -9 too). `read` is built into the shell: no third process
 * is left behind. Signals to the guard are caught rather than ignored, because a JVM keeps ignoring what it was started
 * ignoring (SIGINT is ignored all the same: shells do that to background jobs).
 */
const GUARD_SCRIPT = `
trap : HUP INT TERM
exec 4<&0
"$@" </dev/null 3>&- 4<&- &
child=$!
( exec 3>&- >/dev/null 2>&1; read -r line <&4; kill -9 "$child" ) &
watcher=$!
echo "$child" >&3
exec 3>&- 4<&- </dev/null
while :; do
  wait "$child"; status=$?
  kill -0 "$child" 2>/dev/null || break
done
kill -9 "$watcher" 2>/dev/null
exit "$status"
`;

/**
 * Starts a child that dies with this program, also when this program is killed with -9. It runs in a session of its own, so
 * Ctrl-C in the terminal reaches this program alone and the child is stopped in order.
 * @throws PlimsollError INTERNAL when the guard cannot be started.
 */
export async function spawnGuarded(command: ProcessCommand): Promise<ChildHandle> {
  const log = openSync(command.logFile, 'a');
  let guard: ChildProcess;
  try {
    guard = spawn('sh', ['-c', GUARD_SCRIPT, 'guard', command.command, ...command.args], {
      detached: true,
      stdio: ['pipe', log, log, 'pipe'],
    });
  } finally {
    closeSync(log);
  }
  let exited = false;
  guard.once('exit', () => {
    exited = true;
  });
  const pid = await childPid(guard);
  // Read at once: later the pid may be another's.
  const identity = identifyProcess(pid);
  guard.stdin?.on('error', () => {});
  // Neither the guard nor its pipe may keep this program from ending.
  guard.unref();
  (guard.stdin as { unref?: () => void } | null)?.unref?.();
  return {
    pid,
    hasExited: () => exited,
    stop: async (graceMs) => {
      if (identity !== null) await stopProcesses([identity], graceMs);
      guard.stdin?.destroy();
    },
  };
}

function childPid(guard: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void =>
      reject(new PlimsollError('INTERNAL', `Cannot start a guarded process: ${reason}`));
    guard.once('error', (error) => fail(messageOf(error)));
    const pidPipe = guard.stdio[3] as Readable;
    let text = '';
    pidPipe.setEncoding('utf8');
    pidPipe.on('data', (chunk: string) => {
      text += chunk;
    });
    pidPipe.on('error', (error) => fail(messageOf(error)));
    pidPipe.once('end', () => {
      const pid = Number(text.trim());
      if (Number.isSafeInteger(pid) && pid > 1) resolve(pid);
      else fail('the guard gave no pid');
    });
  });
}
