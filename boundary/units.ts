/** Decimal megabyte; `1MB` on the command line is 1,000,000 bytes (verdict page of the handbook, "Units"). */
export const BYTES_PER_MB = 1_000_000;

/** Nanoseconds in a millisecond; Kafka's idle meter counts nanoseconds. */
export const NS_PER_MS = 1_000_000;

const SIZE_FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1_000,
  mb: 1_000_000,
  gb: 1_000_000_000,
  kib: 1_024,
  mib: 1_048_576,
  gib: 1_073_741_824,
};

/**
 * Reads a size as a person writes it: `100`, `1kB`, `1.5 MB`, `1MiB`.
 * @returns bytes (a positive integer), or null when the text is not a size.
 */
export function parseBytes(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text);
  if (!match) return null;
  const factor = SIZE_FACTORS[(match[2] ?? '').toLowerCase()];
  if (factor === undefined) return null;
  const exact = Number(match[1]) * factor;
  const bytes = Math.round(exact);
  // Half a byte is a typing error, not a size; what is left of 1.1 x 1000 in floating point is not.
  const isWhole = Math.abs(exact - bytes) < 1e-6 * Math.max(1, bytes * 1e-3);
  return Number.isSafeInteger(bytes) && bytes > 0 && isWhole ? bytes : null;
}

/** Writes bytes the way a person reads a message size: 100 B, 1 kB, 1.5 MB (decimal). */
export function formatBytes(bytes: number): string {
  for (const [limit, factor, unit] of [
    [1e9, 1e9, 'GB'],
    [1e6, 1e6, 'MB'],
    [1e3, 1e3, 'kB'],
  ] as const) {
    if (bytes >= limit) return `${trimZeros(bytes / factor)} ${unit}`;
  }
  return `${trimZeros(bytes)} B`;
}

/** A whole size near an exact one, of two digits where it has more: one that a person can read. */
export function roundSize(bytes: number): number {
  return Math.round(Number(bytes.toPrecision(2)));
}

function trimZeros(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** Payload throughput of the cluster in MB/s: messages per second x bytes of a message's value. */
export function megabytesPerSecond(messagesPerSecond: number, messageBytes: number): number {
  return (messagesPerSecond * messageBytes) / BYTES_PER_MB;
}
