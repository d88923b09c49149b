import { messageOf, PlimsollError, systemFailure } from '../errors.ts';

/**
 * What ended a run, as an error with a code.
 * @param signal when it is aborted, that is why the run ended.
 * @param interrupted what to say then.
 */
export function asRunError(error: unknown, signal: AbortSignal, interrupted: string): PlimsollError {
  if (signal.aborted) return new PlimsollError('CANCELLED', interrupted, { cause: error });
  if (error instanceof PlimsollError) return error;
  const refused = systemFailure(error);
  if (refused) return refused;
  return new PlimsollError('INTERNAL', `unexpected: ${messageOf(error)}`, { cause: error });
}
