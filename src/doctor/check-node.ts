import { type CheckResult, fail, ok } from './check-result.ts';

/** The oldest Node that the packages run on (package.json, `engines`). */
const OLDEST = [20, 19] as const;

/** Checks the version of Node, as in `process.versions.node`. */
export function checkNode(version: string): CheckResult {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  const wanted = OLDEST.join('.');
  if (isEnough) return ok('Node', version);
  return fail('Node', `${version} is older than ${wanted}`, `install Node ${wanted} or later`);
}
