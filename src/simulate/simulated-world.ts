import {
  type ClusterWorld,
  DEFAULT_WORLD,
  drawClusterWorld,
} from '../../boundary/simulator/cluster-world.ts';
import { type Mishaps, SimulatedCluster } from '../../boundary/simulator/simulated-cluster.ts';
import { type TrueLimit, trueLimitOf } from '../../boundary/simulator/true-limit.ts';
import { BYTES_PER_MB } from '../../boundary/units.ts';
import type { SimulationSettings } from './simulation-schema.ts';

/** A simulated cluster with what nobody knows of a real one. */
export interface SimulatedWorld {
  readonly cluster: SimulatedCluster;
  readonly brokerIds: readonly number[];
  /** The limit at a size, noise and drift aside. */
  trueLimit(messageBytes: number): TrueLimit;
}

/** Builds the cluster of a file. Equal settings give equal clusters, whatever sizes are asked for. */
export function simulatedWorld(settings: SimulationSettings): SimulatedWorld {
  const world = worldOf(settings);
  const mishaps = mishapsOf(settings, world);
  return {
    cluster: new SimulatedCluster(world, settings.seed, mishaps),
    brokerIds: Array.from({ length: settings.brokers }, (_, i) => i + 1),
    trueLimit: (messageBytes) => trueLimitOf(world, mishaps, messageBytes),
  };
}

function worldOf(settings: SimulationSettings): ClusterWorld {
  const { seed, curve, noise, deliveryCliff, messagesPerSecond, megabytesPerSecond } = settings;
  const { brokers, noiseInCommon, brokerSpread, outlierShare, driftPerHour, misfit } = settings;
  return drawClusterWorld(seed, {
    ...DEFAULT_WORLD,
    family: curve,
    noiseFactor: noise,
    noiseInCommon,
    cliff: deliveryCliff,
    limits: { messagesPerSecond, bytesPerSecond: megabytesPerSecond * BYTES_PER_MB },
    brokers,
    brokerSpread,
    outlierShare,
    driftPerHour,
    misfit,
  });
}

function mishapsOf(settings: SimulationSettings, world: ClusterWorld): Mishaps {
  const { generatorCeiling, isrChurnAbove, burst, slowRecovery, invalidShare } = settings;
  return {
    invalidShare,
    generatorCeilings: generatorCeiling === null ? null : world.sizes.map(() => generatorCeiling),
    isrFlapsAbove: isrChurnAbove,
    burst,
    slowRecovery,
  };
}
