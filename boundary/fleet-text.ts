import { type CapacityRate, rateAt } from './fleet-capacity.ts';
import { formatBytes } from './units.ts';

/** Writes bytes per second to the two digits that a capacity is known to: 45 MB/s. */
export function byteRateText(bytesPerSecond: number): string {
  return `${formatBytes(Number(bytesPerSecond.toPrecision(2)))}/s`;
}

/** What can be offered at each size: 45 MB/s of 100 B, 260 MB/s of 1 kB. @param sizes the measured ones unless told otherwise. */
export function offerText(
  rates: readonly CapacityRate[],
  sizes: readonly number[] = rates.map(({ messageBytes }) => messageBytes),
): string {
  return sizes
    .map((messageBytes) => {
      const bytesPerSecond = rateAt(rates, messageBytes) * messageBytes;
      return `${byteRateText(bytesPerSecond)} of ${formatBytes(messageBytes)}`;
    })
    .join(', ');
}
