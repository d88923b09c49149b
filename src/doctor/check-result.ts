export type CheckStatus = 'ok' | 'warn' | 'fail';

/** One line of the doctor. */
export interface CheckResult {
  readonly name: string;
  readonly status: CheckStatus;
  /** What was found. */
  readonly detail: string;
  /** What to do about it; null when there is nothing to do. */
  readonly fix: string | null;
}

export function ok(name: string, detail: string): CheckResult {
  return { name, status: 'ok', detail, fix: null };
}

/** The run can start, but the result may suffer. */
export function warn(name: string, detail: string, fix: string): CheckResult {
  return { name, status: 'warn', detail, fix };
}

/** The run would not start, or would end without a result. */
export function fail(name: string, detail: string, fix: string): CheckResult {
  return { name, status: 'fail', detail, fix };
}
