// Worlds that differ from the usual one, and what can go wrong in a run.
import { WORLD_SIZES } from '../../dist/boundary/simulator/cluster-world.js';

/** As on one machine: brokers that share a disk and its noise, short windows, few sizes to learn the noise from. */
const FEW_SIZES = [0, 2, 4].map((index) => WORLD_SIZES[index]);

function fewSizes(noiseFactor) {
  return {
    world: { noiseInCommon: 0.97, noiseFactor, sizes: FEW_SIZES },
    config: { precision: 0.1, windowMs: 7_000, warmUpMs: 3_000, isrHoldMs: 6_000, maxTrials: 8 },
  };
}

/** `answers`: the quality that every size must end with; without it the limit must be found. */
export const ROBUSTNESS = [
  { name: 'outliers 10 %', world: { outlierShare: 0.1 } },
  { name: 'drift 10 %/h', world: { driftPerHour: 0.1 } },
  { name: 'curve ripple x3', world: { rippleLogit: 0.12 } },
  { name: 'cost misfit 15 %', world: { misfit: 0.15 } },
  { name: 'roofline cost', world: { law: 'roofline' } },
  { name: '1 broker', world: { brokers: 1 } },
  { name: '2 unequal brokers', world: { brokers: 2, brokerSpread: 0.4 } },
  { name: '12 unequal brokers', world: { brokers: 12, brokerSpread: 0.4 } },
  { name: 'noise in common', world: { noiseInCommon: 0.97 } },
  { name: '3 sizes, 10 %, in common', ...fewSizes(1) },
  { name: '3 sizes, 10 %, in common, x2', ...fewSizes(2) },
  { name: '20 % invalid trials', mishaps: { invalidShare: 0.2 } },
  { name: 'generator ends at 0.7', mishaps: { generatorShare: 0.7 }, answers: 'at least' },
  { name: 'limit over max load', config: { maxLoadShare: 0.7 }, answers: 'at least' },
  {
    name: 'limit under least load',
    mishaps: { burst: { afterSeconds: -1, share: 1e-7 } },
    answers: 'at most',
  },
];
