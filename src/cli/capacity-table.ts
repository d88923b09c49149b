import type { CapacityRate } from '../../boundary/fleet-capacity.ts';
import { formatBytes, megabytesPerSecond } from '../../boundary/units.ts';
import { formatCount, formatMegabytes } from '../../charts/number-text.ts';
import { type ChildrenRoom, usualChildren } from '../process/room-for-children.ts';

const COLUMNS = [12, 16, 12] as const;

/** What one load child with one core offers at each size, and how many of them this machine has room for. */
export function capacityTable(rates: readonly CapacityRate[], room: ChildrenRoom): string {
  const rows = rates.map(({ messageBytes, messagesPerSecond }) => [
    formatBytes(messageBytes),
    formatCount(messagesPerSecond),
    formatMegabytes(megabytesPerSecond(messagesPerSecond, messageBytes)),
  ]);
  const lines = [['message', 'messages/s', 'MB/s'], ...rows].map((cells) =>
    cells.map((cell, index) => cell.padStart(COLUMNS[index] ?? 0)).join(''),
  );
  const cores = Number(room.cores.toFixed(2));
  return `of one load child with one core:\n${lines.join('\n')}\n${cores} cores may be used, memory is free for ${room.byMemory} load children: ${usualChildren(room)} run at once\n`;
}
