import { WORLD_SIZES } from '../../boundary/simulator/cluster-world.ts';
import { formatBytes, parseBytes } from '../../boundary/units.ts';
import { good, type Reader, shown, wrong } from '../config/read-value.ts';

/** The cliff's size in bytes; `as drawn` leaves it to the family of the curve (D and E always have one). */
export type Cliff = number | 'as drawn' | 'none';

/** Reads where deliveries start to fall behind before the request handlers are out of idle. */
export const readCliff: Reader<Cliff> = (raw) => {
  if (raw === 'none' || raw === 'as drawn') return good(raw);
  const bytes = typeof raw === 'string' || typeof raw === 'number' ? parseBytes(String(raw)) : null;
  if (bytes === null)
    return wrong(`must be a message size such as 10kB, none or as drawn, not ${shown(raw)}`);
  const smallest = Math.min(...WORLD_SIZES);
  return bytes > smallest ? good(bytes) : wrong(`must be above ${formatBytes(smallest)}, not ${shown(raw)}`);
};
