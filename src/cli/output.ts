import { ERROR_EXIT_CODES } from '../errors.ts';

/** The part of a stream that is watched; `process.stdout` has it. */
interface WatchedStream {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/**
 * Keeps a failed write to a standard stream from ending the program in the middle of a run: the reader of a pipe that
 * went away (`| head -1`), a full disk behind `>`, a closed terminal. Lost output is told in one line, except to those
 * who closed the pipe themselves, and makes the exit status that of a file that cannot be written.
 */
export function guardOutput(stdout: WatchedStream, stderr: WatchedStream): void {
  let isTold = false;
  stdout.on('error', (error) => {
    if (isTold) return;
    isTold = true;
    if (error.code !== 'EPIPE')
      process.stderr.write(`plimsoll: standard output cannot be written (${error.message})\n`);
    process.once('exit', () => {
      process.exitCode ||= ERROR_EXIT_CODES.STORE_FAILED;
    });
  });
  // Where errors go cannot be told about anywhere; the exit status speaks.
  stderr.on('error', () => {});
}
