import { type CountAt, levelAt } from '../boundary/cumulative-series.ts';
import { PlimsollError } from '../src/errors.ts';
import { connectConsumer, readEdge, type TopicEdge } from '../src/kafka/consumer.ts';
import { makeConsumer, type RdConsumer } from '../src/kafka/rdkafka.ts';
import type { ClientProperties } from '../src/queue/load-job.ts';
import { machineNowMs } from './machine-clock.ts';

/**
 * The ends of a topic's partitions as their leaders tell them, once a second, by a client that does not fetch: what a slow
 * consumer knows of the end is as old as its last fetch, and its questions would wait behind its fetches.
 */
export interface TopicEnd {
  /** First or next offset of every partition. @throws PlimsollError TOPIC_FAILED also when one is missing */
  edge(edge: TopicEdge): Promise<ReadonlyMap<number, number>>;
  /** Asks from now on. */
  start(): void;
  stop(): void;
  /** Messages between some offsets and the end. */
  beyond(from: ReadonlyMap<number, number>): EndSeries;
}

/** Messages from fixed offsets to the end of their partitions, as far as told. */
export interface EndSeries {
  /** At an instant of the machine's clock, by the answers around it; null while there is none from then on. */
  at(atMs: number): number | null;
}

export interface TopicEndSettings {
  readonly client: ClientProperties;
  readonly topic: string;
  readonly partitions: number;
  readonly connectTimeoutMs: number;
}

const ASK_MS = 1_000;
/** An answer that takes longer tells of no instant. */
const ANSWER_TIMEOUT_MS = 5_000;
/** Lags are told within seconds of their time; what is older serves nobody. */
const KEPT_ANSWERS = 60;

interface Answer {
  readonly atMs: number;
  readonly ends: ReadonlyMap<number, number>;
}

/** Connects the client that asks. @throws PlimsollError BROKER_UNREACHABLE, CONFIG_INVALID */
export async function openTopicEnd(settings: TopicEndSettings): Promise<TopicEnd> {
  const { topic, connectTimeoutMs } = settings;
  // librdkafka makes no consumer without a group; this one never joins, fetches or commits.
  const client = { ...settings.client, 'group.id': 'plimsoll-ends', 'enable.auto.commit': false };
  const consumer = makeConsumer(client);
  await connectConsumer(consumer, client, { timeoutMs: connectTimeoutMs, topic });
  const partitions = Array.from({ length: settings.partitions }, (_, partition) => partition);
  const answers: Answer[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;
  const ask = async () => {
    if (isAsking) return;
    isAsking = true;
    const ends = await readEdge(consumer, topic, partitions, { edge: 'end', timeoutMs: ANSWER_TIMEOUT_MS })
      // A leader that does not answer leaves a gap in the lag, which is then not known.
      .catch(() => null);
    isAsking = false;
    if (ends === null) return;
    // A question waits in the broker's queue and is answered from there at once: it tells of the time of its answer.
    answers.push({ atMs: machineNowMs(), ends });
    if (answers.length > 2 * KEPT_ANSWERS) answers.splice(0, KEPT_ANSWERS);
  };
  return {
    edge: (edge) => wholeEdge(consumer, topic, partitions, edge, connectTimeoutMs),
    start: () => {
      void ask();
      timer = setInterval(ask, ASK_MS);
    },
    stop: () => clearInterval(timer),
    beyond: (from) => ({
      at: (atMs) => levelAt(countsBeyond(answers, from), atMs, { startMs: atMs, stopMs: null }),
    }),
  };
}

async function wholeEdge(
  consumer: RdConsumer,
  topic: string,
  partitions: readonly number[],
  edge: TopicEdge,
  timeoutMs: number,
): Promise<ReadonlyMap<number, number>> {
  const offsets = await readEdge(consumer, topic, partitions, { edge, timeoutMs });
  const missing = partitions.filter((partition) => !offsets.has(partition));
  if (missing.length === 0) return offsets;
  const text = `the ${edge} of ${topic}/${missing.join(', ')} cannot be read: are their leaders up?`;
  throw new PlimsollError('TOPIC_FAILED', text);
}

/** The answers that tell of every partition. */
function countsBeyond(answers: readonly Answer[], from: ReadonlyMap<number, number>): CountAt[] {
  return answers.flatMap(({ atMs, ends }) => {
    let count = 0;
    for (const [partition, offset] of from) {
      const end = ends.get(partition);
      if (end === undefined) return [];
      count += end - offset;
    }
    return [{ atMs, count }];
  });
}
