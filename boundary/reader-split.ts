import type { FleetWorker } from './fleet-capacity.ts';

/** One consumer: it reads the partitions p with p % membersOfGroup = member. */
export interface GroupMember {
  /** group.id; starts with `plimsoll-`. */
  readonly group: string;
  readonly member: number;
  readonly membersOfGroup: number;
}

/** The consumers of one job, and the worker that runs it. */
export interface ReaderShare {
  readonly workerId: string;
  readonly members: readonly GroupMember[];
}

/** What is to be read, by every group all of it. */
export interface ReadLoad {
  readonly groups: readonly string[];
  /** Members of each group; null: as many as likely keep up. */
  readonly membersOfGroup: number | null;
  readonly partitions: number;
  /** Messages per second at the highest rate of the schedule. */
  readonly messagesPerSecond: number;
  readonly messageBytes: number;
}

/**
 * What one reader child takes with its one JavaScript thread and much room left: node-rdkafka makes an object of every
 * message and copies its value, some 370,000/s of 100 B, 300,000/s of 1 kB and 100,000/s of 10 kB for a core (measured).
 */
const READER_MESSAGES_PER_SECOND = 120_000;
const READER_BYTES_PER_SECOND = 300e6;

/** Consumers of one child, each of which blocks a thread of libuv's pool while it waits. */
const MOST_MEMBERS = 64;

/**
 * Spreads consumers over the fleet: as many children as the reading needs, one per worker when members allow, never more
 * than the workers have slots; the members of a group are dealt out in turn, so that they part between the children.
 *
 * @param workers at least one, each with a slot at least.
 * @returns shares of at least one member; none when there are no groups.
 */
export function placeReaders(load: ReadLoad, workers: readonly FleetWorker[]): ReaderShare[] {
  const places = placesOf(workers);
  const members = membersOf(load, places.length);
  const wanted = Math.max(workers.length, childrenFor(load), Math.ceil(members.length / MOST_MEMBERS));
  const used = places.slice(0, Math.min(wanted, members.length));
  return used.map((workerId, place) => ({
    workerId,
    members: members.filter((_, index) => index % used.length === place),
  }));
}

/** Without a wish, no more members than children: those that share a child share its one thread too. */
function membersOf({ groups, membersOfGroup: asked, ...load }: ReadLoad, places: number): GroupMember[] {
  const wanted = asked ?? Math.min(places, childrenFor({ ...load, groups: ['one'] }));
  const membersOfGroup = Math.max(1, Math.min(load.partitions, wanted));
  return groups.flatMap((group) =>
    Array.from({ length: membersOfGroup }, (_, member) => ({ group, member, membersOfGroup })),
  );
}

function childrenFor({ groups, messagesPerSecond, messageBytes }: Omit<ReadLoad, 'membersOfGroup'>): number {
  const read = groups.length * messagesPerSecond;
  return Math.ceil(
    Math.max(read / READER_MESSAGES_PER_SECOND, (read * messageBytes) / READER_BYTES_PER_SECOND),
  );
}

/** A worker id for every slot of the fleet: first one of each worker, then the second of each that has one, and so on. */
function placesOf(workers: readonly FleetWorker[]): string[] {
  const fleet = [...workers].sort((a, b) => (a.workerId < b.workerId ? -1 : 1));
  const rounds = Math.max(0, ...fleet.map(({ slots }) => slots));
  return Array.from({ length: rounds }, (_, round) =>
    fleet.filter(({ slots }) => slots > round).map(({ workerId }) => workerId),
  ).flat();
}
