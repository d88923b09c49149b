import { z } from 'zod';
import type { RunDocument } from '../boundary/run-document.ts';
import { DEFAULT_THRESHOLDS, IDLE_ESTIMATORS, INVALID_REASONS, OVERLOAD_RULES } from '../boundary/verdict.ts';
import { PURPOSES } from './purpose-text.ts';

// Mirrors boundary/run-document.ts; the annotation at the end makes the compiler complain when the two part.

const count = z.number().int().nonnegative();
const positive = z.number().positive();
const amount = z.number().nonnegative();
const rule = z.enum(OVERLOAD_RULES);

const bound = z.object({
  np: count,
  unitRate: amount,
  messagesPerSecond: amount,
  trials: count,
});

const found = z.object({
  estimate: amount.nullable(),
  interval: z.object({ low: amount, high: amount }).nullable(),
  lower: bound.nullable(),
  upper: bound.nullable(),
  quality: z.enum(['converged', 'wide', 'at least', 'at most', 'unstable']),
});

const hold = z.object({
  plannedSeconds: amount,
  lasted: bound.nullable(),
  drops: z.array(z.object({ messagesPerSecond: amount, afterSeconds: amount, rule })),
  fresh: found.exactOptional(),
});

const point = z.object({
  messageBytes: positive,
  ...found.shape,
  limit: z.object({ rule, brokerId: z.number().int().nullable() }).nullable(),
  hold: hold.exactOptional(),
  former: z.object({ outcome: z.enum(['confirmed', 'refuted']), ratio: amount }).exactOptional(),
  interpolation: amount.exactOptional(),
  notes: z.array(z.string()),
  trials: count,
  seconds: amount,
});

const idle = z.object({
  ratio: z.number(),
  low: z.number(),
  high: z.number(),
  estimator: z.enum(IDLE_ESTIMATORS),
});

const verdict = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sustained'),
    worst: z.object({ brokerId: z.number().int(), idle }).nullable(),
  }),
  z.object({
    kind: z.literal('overloaded'),
    rule,
    brokerId: z.number().int().nullable(),
    value: z.number(),
    limit: z.number(),
    detail: z.string(),
  }),
  z.object({
    kind: z.literal('invalid'),
    reason: z.enum(INVALID_REASONS),
    detail: z.string(),
  }),
]);

const latency = {
  messages: count,
  missing: count,
  p50Ms: amount.nullable(),
  p90Ms: amount.nullable(),
  p99Ms: amount.nullable(),
  p999Ms: amount.nullable(),
  maxMs: amount.nullable(),
};

const group = z.object({
  group: z.string(),
  consumedPerSecond: amount,
  consumedBytesPerSecond: amount,
  lag: z.number().nullable(),
  lagGrowthPerSecond: z.number().nullable(),
});

const trial = z.object({
  sequence: count,
  plan: z.object({
    trialId: z.string(),
    messageBytes: positive,
    np: count,
    unitRate: amount,
    warmUpMs: amount,
    windowMs: amount,
    purpose: z.enum(PURPOSES),
  }),
  verdict,
  why: z.string().exactOptional(),
  heldSeconds: amount.exactOptional(),
  startedAtMs: z.number(),
  endedAtMs: z.number(),
  windowSeconds: amount,
  offeredPerSecond: amount,
  acceptedPerSecond: amount,
  ackedPerSecond: amount,
  bytesInPerSecond: amount.nullable(),
  idleByBroker: z.record(z.string(), z.number().nullable()),
  isrChurnShare: amount.nullable(),
  roundTripP99Ms: amount.nullable(),
  generatorCpuCores: amount,
  scrapeMs: amount.nullable(),
  ackLatency: z.object({ ...latency, timedProducers: count }).exactOptional(),
  consumeLatency: z.object({ ...latency, clockErrorMs: amount.nullable() }).exactOptional(),
  consumers: z.array(group).exactOptional(),
});

const thresholds = z.object({
  idleRatio: z.number(),
  isrChurnShare: z.number(),
  deliveryRatio: z.number(),
  roundTripGrowth: z.number(),
  roundTripFloorMs: z.number(),
  missedPollShare: z.number(),
  shardLateMs: z.number(),
  // Rules that documents of older programs do not know.
  lagGrowthShare: z.number().default(DEFAULT_THRESHOLDS.lagGrowthShare),
  latencyP99Ms: z.number().nullable().default(null),
});

/** What a `curve.json` must look like. Fields it does not know are left out of the result. */
export const runDocumentSchema: z.ZodType<RunDocument> = z.object({
  format: z.literal('plimsoll-curve/1'),
  methodVersion: count,
  run: z.object({
    runId: z.string().min(1),
    status: z.enum(['running', 'finished', 'interrupted', 'failed']),
    startedAtMs: z.number(),
    finishedAtMs: z.number().nullable(),
    error: z.string().nullable(),
  }),
  cluster: z.object({
    brokerIds: z.array(z.number().int()),
    kafkaVersion: z.string().nullable(),
  }),
  signals: z.object({
    source: z.enum(['scrape', 'prometheus', 'jolokia', 'none']),
    idle: z.string().nullable(),
  }),
  thresholds,
  configuration: z.record(z.string(), z.unknown()),
  environment: z.record(z.string(), z.string()),
  points: z.array(point),
  trials: z.array(trial),
});
