import { maskText } from './config/masked-text.ts';
import { printable } from './printable.ts';

/**
 * Every error a user can meet: its code, and the exit status of the command line.
 * Exit statuses are listed in the README; keep both in step.
 */
export const ERROR_EXIT_CODES = {
  CONFIG_INVALID: 64,
  BROKER_UNREACHABLE: 69,
  BROKER_LOST: 69,
  METRICS_UNREACHABLE: 69,
  METRIC_MISSING: 69,
  METRICS_MISMATCH: 64,
  MESSAGE_TOO_LARGE: 64,
  TOPIC_FAILED: 69,
  REDIS_UNREACHABLE: 69,
  REDIS_LOST: 69,
  WORKER_MISSING: 69,
  CLUSTER_UNHEALTHY: 69,
  CLUSTER_AT_RISK: 69,
  CLUSTER_BUSY: 75,
  CLUSTER_FAILED: 70,
  DISK_FULL: 74,
  STORE_FAILED: 74,
  RUN_UNKNOWN: 64,
  TOOL_MISSING: 69,
  SYSTEM_REFUSED: 74,
  CANCELLED: 130,
  INTERNAL: 70,
} as const;

export type ErrorCode = keyof typeof ERROR_EXIT_CODES;

/**
 * An error with a code and one line that says what to do. `message` is shown to the user and stored as it is, hence
 * without the credentials that the URLs in it may carry.
 */
export class PlimsollError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(maskText(message), options);
    this.name = 'PlimsollError';
    this.code = code;
  }

  get exitCode(): number {
    return ERROR_EXIT_CODES[this.code];
  }
}

/** Reduces anything thrown to one line of text. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return printable(text.split('\n')[0] ?? text);
}

/**
 * Tells failures of the system (no space, no permission, a taken port), which say enough in one line, from failures of
 * this program, which need a stack. @returns null for the latter.
 */
export function systemFailure(error: unknown): PlimsollError | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null;
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
    const message = `no space left (${messageOf(error)}): free some, then start again`;
    return new PlimsollError('DISK_FULL', message, { cause: error });
  }
  const message = `the system refuses: ${messageOf(error)}; check paths, permissions and ports`;
  return new PlimsollError('SYSTEM_REFUSED', message, { cause: error });
}
