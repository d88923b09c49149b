import { BYTES_PER_MB } from '../boundary/units.ts';

/** The part of the plane that a picture shows: bytes per message by messages per second. */
export interface PlaneWindow {
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly minRate: number;
  readonly maxRate: number;
}

/** A line of equal throughput, clipped to the window: from its upper left end to its lower right end. */
export interface Isoline {
  readonly megabytesPerSecond: number;
  readonly from: { readonly bytes: number; readonly rate: number };
  readonly to: { readonly bytes: number; readonly rate: number };
}

/**
 * Finds lines of equal MB/s at powers of ten that cross the window, every second or third power when there would be
 * more than `most` of them.
 */
export function isolines(window: PlaneWindow, most = 5): readonly Isoline[] {
  const smallest = Math.floor(Math.log10((window.minBytes * window.minRate) / BYTES_PER_MB));
  const largest = Math.ceil(Math.log10((window.maxBytes * window.maxRate) / BYTES_PER_MB));
  const lines: Isoline[] = [];
  const step = Math.max(1, Math.ceil((largest - smallest - 1) / most));
  for (let decade = Math.ceil(smallest / step) * step; decade <= largest; decade += step) {
    const line = clippedIsoline(10 ** decade, window);
    if (line) lines.push(line);
  }
  return lines;
}

/** Labels an isoline in the unit that keeps the number short: 100 kB/s, 10 MB/s, 1 GB/s. */
export function isolineLabel(megabytesPerSecond: number): string {
  for (const [factor, unit] of [
    [1e6, 'TB/s'],
    [1e3, 'GB/s'],
    [1, 'MB/s'],
    [1e-3, 'kB/s'],
  ] as const) {
    if (megabytesPerSecond >= factor * 0.999) {
      return `${Number((megabytesPerSecond / factor).toPrecision(3))} ${unit}`;
    }
  }
  return `${Number((megabytesPerSecond * BYTES_PER_MB).toPrecision(3))} B/s`;
}

function clippedIsoline(megabytesPerSecond: number, window: PlaneWindow): Isoline | null {
  const bytesPerSecond = megabytesPerSecond * BYTES_PER_MB;
  const fromBytes = Math.max(window.minBytes, bytesPerSecond / window.maxRate);
  const toBytes = Math.min(window.maxBytes, bytesPerSecond / window.minRate);
  // a cut-off corner has no room for its label
  const shortest = (window.maxBytes / window.minBytes) ** 0.25;
  if (toBytes < fromBytes * shortest) return null;
  return {
    megabytesPerSecond,
    from: { bytes: fromBytes, rate: bytesPerSecond / fromBytes },
    to: { bytes: toBytes, rate: bytesPerSecond / toBytes },
  };
}
