import type { AckLatency } from '../boundary/latency.ts';
import { messagesTimed } from '../boundary/latency-histogram.ts';
import { LatencySlices } from '../boundary/latency-slices.ts';
import { scheduledMessages } from '../boundary/load-schedule.ts';
import type { ShardReport, Window } from '../boundary/trial.ts';
import type { LoadJob } from '../src/queue/load-job.ts';

/** What the timing needs of a job. */
type TimedJob = Pick<
  LoadJob,
  'schedule' | 'producers' | 'firstProducer' | 'producersOfTrial' | 'timedProducers'
>;

/** Times the messages of a shard's first `timedProducers` producers, from the send time asked for to the acknowledgement. */
export interface AckTiming {
  /**
   * What a producer calls with every delivered message: its intended send time, run clock, whole ms rounded down.
   * @param index number of the producer within the shard.
   * @returns null when this producer is not timed.
   */
  hookOf(index: number): ((intendedAtMs: number) => void) | null;
  /** Sets the common start, run clock; before it nothing is counted. */
  startAt(startAtMs: number): void;
  /**
   * The report's field, empty when nothing was timed or the window is not known.
   * @param accepted messages that each timed producer has handed over, in order of the producers.
   */
  report(window: Window | null, accepted: readonly number[]): Pick<ShardReport, 'ackLatency'>;
}

/**
 * Opens the timing of a shard. Good to a few ms: the intended time is cut to whole ms, the pacer and the polls for
 * acknowledgements come every few ms; what an event loop that stands still adds is seen in the ticks.
 *
 * @param nowMs the run clock.
 */
export function openAckTiming(job: TimedJob, nowMs: () => number): AckTiming {
  let start: { readonly atMs: number; readonly slices: LatencySlices } | null = null;
  let delivered = 0;
  const onDelivered = (intendedAtMs: number) => {
    delivered += 1;
    start?.slices.record(intendedAtMs, (nowMs() - intendedAtMs) * 1_000);
  };
  return {
    hookOf: (index) => (index < job.timedProducers ? onDelivered : null),
    startAt: (startAtMs) => {
      start = { atMs: startAtMs, slices: new LatencySlices(startAtMs) };
    },
    report: (window, accepted) => {
      if (!window || !start || job.timedProducers === 0) return {};
      const covered = start.slices.covered(window);
      const counts = start.slices.countsIn(window);
      if (!covered || !counts) return {};
      const due = (producer: number, atMs: number) => dueBefore(job, producer, atMs - (start?.atMs ?? 0));
      const owed = accepted.map((sent, producer) => Math.max(sent, due(producer, covered.endAtMs)));
      const dueInside = sum(
        accepted,
        (_, producer) => due(producer, covered.endAtMs) - due(producer, covered.startAtMs),
      );
      // A message at the very edge may be counted on either side of it; only where some are unanswered at all can one be missing.
      const unanswered = sum(owed, (messages) => messages) - delivered;
      const missing = Math.max(0, Math.min(unanswered, dueInside - messagesTimed(counts)));
      const ackLatency: AckLatency = { timedProducers: accepted.length, counts: { ...counts, missing } };
      return { ackLatency };
    },
  };
}

/** Messages of a producer that fall due up to a time since the start, by the pacer's rule. */
function dueBefore(job: TimedJob, index: number, elapsedMs: number): number {
  const phase = (job.firstProducer + index) / job.producersOfTrial;
  return Math.floor(scheduledMessages(job.schedule, elapsedMs) + phase);
}

function sum<T>(items: readonly T[], of: (item: T, index: number) => number): number {
  return items.reduce((total, item, index) => total + of(item, index), 0);
}
