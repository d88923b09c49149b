import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { messageOf, PlimsollError } from '../errors.ts';
import type { ChildHandle, ProcessCommand } from './child-handle.ts';
import { identifyProcess } from './process-identity.ts';
import { stopProcesses } from './stop-process.ts';

/**
 * Starts a process that goes on when this program ends.
 * @throws PlimsollError TOOL_MISSING when the command cannot be started.
 */
export async function spawnDetached(command: ProcessCommand): Promise<ChildHandle> {
  const log = openSync(command.logFile, 'a');
  try {
    const child = spawn(command.command, command.args, { detached: true, stdio: ['ignore', log, log] });
    let exited = false;
    child.once('exit', () => {
      exited = true;
    });
    await once(child, 'spawn');
    const identity = child.pid === undefined ? null : identifyProcess(child.pid);
    child.unref();
    return {
      pid: child.pid ?? 0,
      hasExited: () => exited,
      stop: async (graceMs) => {
        if (identity !== null) await stopProcesses([identity], graceMs);
      },
    };
  } catch (error) {
    throw new PlimsollError('TOOL_MISSING', `Cannot start ${command.command}: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    closeSync(log);
  }
}
