const UNIT_MS: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * Reads a duration as a person writes it: `500ms`, `15s`, `1.5m`, `1h`, or a bare number of milliseconds.
 * @returns whole milliseconds, or null when it is not a duration.
 */
export function parseDurationMs(value: unknown): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(String(value));
  if (!match || (typeof value !== 'string' && typeof value !== 'number')) return null;
  const factor = UNIT_MS[(match[2] ?? '').toLowerCase()];
  if (factor === undefined) return null;
  const durationMs = Math.round(Number(match[1]) * factor);
  return Number.isSafeInteger(durationMs) ? durationMs : null;
}

/** Writes milliseconds in the largest unit that keeps them whole: 500ms, 15s, 2m. */
export function formatDuration(durationMs: number): string {
  if (durationMs >= 60_000 && durationMs % 60_000 === 0) return `${durationMs / 60_000}m`;
  if (durationMs >= 1_000 && durationMs % 1_000 === 0) return `${durationMs / 1_000}s`;
  return `${durationMs}ms`;
}
