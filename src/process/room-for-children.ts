import { allowedCores } from './allowed-cores.ts';

/** A load child may queue 1 GB of messages, and needs some for itself, bytes. */
const BYTES_PER_CHILD = 1_250_000_000;

/** What the machine has for load children. */
export interface ChildrenRoom {
  /** Cores that this process may use, a real number. */
  readonly cores: number;
  /** Load children that fit into the free memory. */
  readonly byMemory: number;
}

export function roomForChildren(): ChildrenRoom {
  return { cores: allowedCores(), byMemory: Math.floor(process.availableMemory() / BYTES_PER_CHILD) };
}

/** Load children to run at once where nobody says how many: one for each core, as far as memory goes, and at least one. */
export function usualChildren({ cores, byMemory }: ChildrenRoom): number {
  return Math.max(1, Math.min(Math.floor(cores), byMemory));
}
