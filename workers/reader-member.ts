import type { GroupMember } from '../boundary/reader-split.ts';
import { messageOf } from '../src/errors.ts';
import { connectConsumer } from '../src/kafka/consumer.ts';
import { makeConsumer, type RdConsumer } from '../src/kafka/rdkafka.ts';
import type { ClientProperties } from '../src/queue/load-job.ts';
import { type ReaderStatistics, readReaderStatistics } from './reader-statistics.ts';

/** One consumer of a group with its own connections, reading. */
export interface ReaderMember {
  readonly group: string;
  readonly partitions: readonly number[];
  readonly consumed: number;
  readonly consumedBytes: number;
  /** Offsets of single partitions committed. */
  readonly committed: number;
  /** The newest statistics; null before the first. */
  readonly statistics: ReaderStatistics | null;
  /** Reads no more once what is under way has come. */
  end(): void;
}

export interface MemberSettings {
  readonly client: ClientProperties;
  readonly topic: string;
  readonly member: GroupMember;
  /** Consumers of this child. */
  readonly members: number;
  /** First offset to read, by partition; every partition of the member is in it. */
  readonly from: ReadonlyMap<number, number>;
  readonly connectTimeoutMs: number;
  /** Called with the time stamps of messages, ms, as they come. */
  readonly onRead: (timestampsMs: readonly number[]) => void;
  /** Counts shared by the members of a shard. */
  readonly errors: Record<string, number>;
}

/** Wait for a first message; statistics come by the same way, so that it must not be long, ms. */
const WAIT_MS = 100;
/** Messages and bytes that are taken at once: each becomes an object before the first of them is looked at. */
const MOST_MESSAGES = 1_000;
const MOST_BYTES = 4_000_000;
/** After an error the next look comes this much later, ms. */
const REST_MS = 100;
const STATISTICS_MS = 500;

/** librdkafka's default of queued.max.messages.kbytes (CONFIGURATION.md), and its bounds here. */
const USUAL_QUEUE_KBYTES = 65_536;
const SMALLEST_QUEUE_KBYTES = 4_096;
const CHILD_QUEUE_KBYTES = 1_000_000;

/** What a member has read so far. */
interface ReadCount {
  consumed: number;
  consumedBytes: number;
  committed: number;
}

/** The partitions of a member: no group protocol runs, so that no rebalance disturbs a trial. */
export function partitionsOf({ member, membersOfGroup }: GroupMember, partitions: number): number[] {
  const all = Array.from({ length: partitions }, (_, partition) => partition);
  return all.filter((partition) => partition % membersOfGroup === member);
}

/** Connects one consumer and lets it read. @throws PlimsollError BROKER_UNREACHABLE, CONFIG_INVALID */
export async function openMember(settings: MemberSettings): Promise<ReaderMember> {
  const { topic, member, from, errors, connectTimeoutMs } = settings;
  const partitions = [...from.keys()];
  const client = memberProperties(settings);
  const consumer = makeConsumer(client);
  let statistics: ReaderStatistics | null = null;
  consumer.on('event.stats', (event: { message: string }) => {
    statistics = readReaderStatistics(event.message, topic, partitions);
  });
  await connectConsumer(consumer, client, { timeoutMs: connectTimeoutMs, topic });
  consumer.on('event.error', (error) => addError(errors, error.message));
  consumer.assign([...from].map(([partition, offset]) => ({ topic, partition, offset })));
  const count: ReadCount = { consumed: 0, consumedBytes: 0, committed: 0 };
  consumer.on('offset.commit', (error, offsets) => {
    if (!error) count.committed += offsets.length;
  });
  const end = readOn(consumer, settings, count);
  return {
    group: member.group,
    partitions,
    get consumed() {
      return count.consumed;
    },
    get committed() {
      return count.committed;
    },
    get consumedBytes() {
      return count.consumedBytes;
    },
    get statistics() {
      return statistics;
    },
    end,
  };
}

/**
 * Properties of a consumer: librdkafka's defaults and the user's, offsets committed as usual, with fetch queues that keep all
 * consumers of the child under about 1 GB. Where retention has deleted what a slow consumer was to read, it goes on with
 * the oldest that is left; what it missed stays in its lag.
 */
function memberProperties({ client, member, members }: MemberSettings): ClientProperties {
  const share = Math.floor(CHILD_QUEUE_KBYTES / members);
  return {
    'auto.offset.reset': 'earliest',
    'queued.max.messages.kbytes': Math.max(SMALLEST_QUEUE_KBYTES, Math.min(USUAL_QUEUE_KBYTES, share)),
    ...client,
    'group.id': member.group,
    'statistics.interval.ms': STATISTICS_MS,
    offset_commit_cb: true,
  };
}

/** Takes what has been fetched, batch by batch; when there is nothing more, waits for the next message. */
function readOn(consumer: RdConsumer, settings: MemberSettings, count: ReadCount): () => void {
  let isEnded = false;
  let hasMore = false;
  const look = (): void => {
    if (isEnded) return;
    // A call comes back with its last message or after a wait without one: never wait for more than the first.
    const most = hasMore ? batchOf(count) : 1;
    consumer.setDefaultConsumeTimeout(hasMore ? 0 : WAIT_MS);
    consumer.consume(most, (error, messages) => {
      if (error) {
        addError(settings.errors, messageOf(error));
        hasMore = false;
        setTimeout(look, REST_MS);
        return;
      }
      for (const { size } of messages) count.consumedBytes += size;
      count.consumed += messages.length;
      if (messages.length > 0) settings.onRead(messages.map(({ timestamp = 0 }) => timestamp));
      hasMore = messages.length === most;
      look();
    });
  };
  look();
  return () => {
    isEnded = true;
  };
}

function batchOf({ consumed, consumedBytes }: ReadCount): number {
  const meanBytes = consumed > 0 ? consumedBytes / consumed : MOST_BYTES;
  return Math.max(1, Math.min(MOST_MESSAGES, Math.floor(MOST_BYTES / Math.max(1, meanBytes))));
}

function addError(errors: Record<string, number>, name: string): void {
  errors[name] = (errors[name] ?? 0) + 1;
}
