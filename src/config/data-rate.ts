import { BYTES_PER_MB, parseBytes } from '../../boundary/units.ts';
import { good, type Reader, shown, wrong } from './read-value.ts';

/** Reads a rate of data into MB/s (10^6 bytes): a bare number of MB/s, or `40MB/s`, `40MBps`, `500kB/s`. */
export const readMegabytesPerSecond: Reader<number> = (raw) => {
  const text = String(raw).trim();
  const isBare = (typeof raw === 'number' || typeof raw === 'string') && /^\d+(\.\d+)?$/.test(text);
  const size = /^(\d[\d.]*\s*[a-z]*b)\s*(?:\/\s*s|ps)$/i.exec(text)?.[1];
  const value = isBare
    ? Number(text)
    : size === undefined
      ? null
      : (parseBytes(size) ?? Number.NaN) / BYTES_PER_MB;
  return value !== null && value > 0 && Number.isFinite(value)
    ? good(value)
    : wrong(`must be a rate above 0 such as 40MB/s or 500kB/s, not ${shown(raw)}`);
};
