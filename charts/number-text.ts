/** Numbers as people read them. Written out here, not by Intl, so that no locale of a machine changes a report. */

/** Writes a rate or count with thousands separators and no decimals above 10: 10,700; 4.2; 0.05. */
export function formatCount(value: number): string {
  if (!Number.isFinite(value)) return '-';
  if (value !== 0 && Math.abs(value) < 10) return trimmed(value, 2);
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Writes a rate in MB/s with three significant digits: 0.0321, 1.07, 20.4, 1,250. */
export function formatMegabytes(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 100) return formatCount(value);
  if (size >= 10) return value.toFixed(1);
  if (size >= 0.9995 || size === 0) return value.toFixed(2);
  // below this the digits would only be zeros
  return size < 1e-8 ? '0' : value.toFixed(Math.min(8, 2 - Math.floor(Math.log10(size))));
}

/** Writes a large rate in few characters, for labels in pictures: 950, 10.7k, 1.25M. */
export function formatShort(value: number): string {
  if (!Number.isFinite(value)) return '-';
  for (const [factor, suffix] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    // 999,950 would round to "1000k"
    if (value >= factor * 0.9995) return `${Number((value / factor).toPrecision(3))}${suffix}`;
  }
  return String(Number(value.toPrecision(3)));
}

/** Writes a ratio 0..1 as percent, rounded down: a reading just under a limit never shows as the limit. */
export function formatRatio(ratio: number, digits = 1): string {
  if (!Number.isFinite(ratio)) return '-';
  const steps = 10 ** digits;
  // 0.29 * 100 is 28.999999999999996
  return `${(Math.floor(ratio * 100 * steps + 1e-6) / steps).toFixed(digits)} %`;
}

/** Writes half the width of a bracket or an interval as percent, rounded up: 2.8 %. */
export function formatPrecision(halfWidthRatio: number): string {
  return `${(Math.ceil(halfWidthRatio * 1_000 - 1e-6) / 10).toFixed(1)} %`;
}

/** Writes a duration in seconds: 45 s, 3 min 20 s, 1 h 05 min. */
export function formatSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(whole / 3_600)} h ${String(Math.floor((whole % 3_600) / 60)).padStart(2, '0')} min`;
}

/** Writes a duration as it was asked for, without seconds that are not there: 10 min, 3 min 40 s. */
export function formatDuration(seconds: number): string {
  return formatSeconds(seconds).replace(/ 00 (?:s|min)$/, '');
}

/** Writes an instant in UTC: 2026-03-01 14:05 UTC. */
export function formatInstant(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
