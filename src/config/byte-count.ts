import { formatBytes, parseBytes } from '../../boundary/units.ts';
import { good, type Reader, shown, wrong } from './read-value.ts';

/** Reads a number of bytes of at least `min`: a bare number, or `500MB`, `10GB`, `1GiB`. */
export function readByteCount({ min }: { readonly min: number }): Reader<number> {
  return (raw) => {
    const bytes = typeof raw === 'number' || typeof raw === 'string' ? parseBytes(String(raw)) : null;
    if (bytes === null) return wrong(`must be a size such as 10GB or 500MB, not ${shown(raw)}`);
    return bytes >= min
      ? good(bytes)
      : wrong(`must be at least ${formatBytes(min)}, not ${formatBytes(bytes)}`);
  };
}
