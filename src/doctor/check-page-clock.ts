import type { Snapshot } from '../signals/signal-source.ts';
import { type CheckResult, ok, warn } from './check-result.ts';

/**
 * Compares a metrics page's Date header with this machine's clock. The header has whole seconds, rounded down, so the
 * offset is only known to lie within a second.
 */
export function judgePageClock(
  place: string,
  page: Pick<Snapshot, 'atMs' | 'scrapeMs' | 'serverDateMs'>,
): CheckResult {
  const name = `clock ${place}`;
  if (page.serverDateMs === null) return ok(name, 'not told by the page (no Date header)');
  const lowMs = page.serverDateMs - page.atMs - page.scrapeMs / 2;
  const highMs = page.serverDateMs + 1_000 - page.atMs + page.scrapeMs / 2;
  const seconds = `between ${(lowMs / 1_000).toFixed(1)} and ${(highMs / 1_000).toFixed(1)} s against this machine (Date has whole seconds)`;
  if (lowMs <= 0 && highMs >= 0) return ok(name, seconds);
  return warn(
    name,
    `${seconds}; windows do not use it, log times will not match`,
    'synchronise the clocks (NTP)',
  );
}
