import { z } from 'zod';
import { CURVE_FAMILIES } from '../../boundary/simulator/idle-curve.ts';
import {
  good,
  orNull,
  type Reader,
  readChoice,
  readPositive,
  readRatio,
  readWhole,
  shown,
  wrong,
} from '../config/read-value.ts';
import { readCliff } from './read-cliff.ts';

const readShare = readRatio({ allowZero: true });

/** `burst`: full speed for a while, less afterwards. */
export const burstSchema = z.strictObject({
  afterSeconds: field(readFrom(0, 1e7), 1_200, 'seconds of load that full speed lasts; rests give them back'),
  share: field(readRatio({ allowZero: false }), 0.6, 'what is left of the limit then'),
});

/** What a simulated cluster is like, in the words and units of its file. Every key has a default: an empty file works. */
export const simulationSchema = z.strictObject({
  brokers: field(readWhole({ min: 1, max: 100 }), 3, 'how many brokers'),
  messagesPerSecond: field(readRate(1e9), 200_000, 'limit of tiny messages, messages/s of the whole cluster'),
  megabytesPerSecond: field(readRate(1e6), 100, 'limit of huge messages, MB/s of the whole cluster'),
  curve: field(readChoice(['mixed', ...CURVE_FAMILIES]), 'B', 'how idle falls with the load'),
  misfit: field(readShare, 0.05, 'how far the limits stray from a fixed cost per message and per byte'),
  brokerSpread: field(
    readFrom(0, 3),
    0.125,
    'how unequal the brokers are, standard deviation in logit of idle',
  ),
  noise: field(readFrom(0, 20), 1, 'noise of the readings; 1 = as measured on a real cluster'),
  noiseInCommon: field(
    readShare,
    0.3,
    'share of the noise that the brokers have in common, as those on one disk do',
  ),
  outlierShare: field(readShare, 0.03, 'share of the trials whose idle is off by 0.1'),
  driftPerHour: field(readShare, 0.05, 'how far the cluster drifts in an hour, standard deviation'),
  deliveryCliff: field(readCliff, 'none', 'message size from which deliveries fall behind first'),
  isrChurnAbove: field(
    orNull(readRate(100)),
    null,
    'followers leave the ISR above this many times the limit',
  ),
  slowRecovery: field(readFrom(1, 100), 1, 'recovery after an overload takes this many times longer'),
  generatorCeiling: field(orNull(readRate(1e9)), null, 'the generator offers no more than this, messages/s'),
  invalidShare: field(readShare, 0, 'share of the trials that are invalid'),
  burst: burstSchema.nullable().default(null),
  seed: field(readWhole({ min: 0, max: 0xffff_ffff }), 1, 'another seed, another cluster of this kind'),
});

export type SimulationSettings = Readonly<z.output<typeof simulationSchema>>;

function field<T>(read: Reader<T>, initial: NoInfer<T>, description: string) {
  return (
    z
      .unknown()
      .transform((raw, context): T => {
        const result = read(raw);
        if (result.ok) return result.value;
        context.addIssue({ code: 'custom', message: result.problem });
        return z.NEVER;
      })
      // The cast undoes what TypeScript cannot follow: T is not undefined, so the default's type is T.
      .default(initial as z.core.util.NoUndefined<Awaited<T>>)
      .describe(description)
  );
}

/** A number that still means a cluster: one without bounds takes the simulated time out of all dates. */
function readFrom(min: number, max: number): Reader<number> {
  return (raw) =>
    typeof raw === 'number' && raw >= min && raw <= max
      ? good(raw)
      : wrong(`must be a number from ${min} to ${max}, not ${shown(raw)}`);
}

function readRate(max: number): Reader<number> {
  return (raw) => {
    const read = readPositive(raw);
    return read.ok && read.value > max ? wrong(`must be at most ${max}, not ${shown(raw)}`) : read;
  };
}
