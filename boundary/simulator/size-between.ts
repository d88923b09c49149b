import { boundaryOf, type ClusterWorld, type SizeWorld } from './cluster-world.ts';
import { lawCapacity } from './cost-truth.ts';

/**
 * A simulated cluster at any message size: the cost law at this size, everything that was drawn for single sizes (misfit,
 * curve, cliff, brokers) interpolated over ln(size). Beyond the smallest and the largest drawn size theirs holds on.
 */
export function sizeWorldAt(world: ClusterWorld, messageBytes: number): SizeWorld {
  const drawn = world.sizes.find((size) => size.messageBytes === messageBytes);
  if (drawn) return drawn;
  const { below, above, share } = neighbours(world.sizes, messageBytes);
  const mix = (of: (size: SizeWorld) => number) => of(below) + share * (of(above) - of(below));
  const mixLog = (of: (size: SizeWorld) => number) => Math.exp(mix((size) => Math.log(of(size))));

  const misfit = mixLog((size) => size.idleCapacity / lawCapacity(world.cost, size.messageBytes));
  const idleCapacity = misfit * lawCapacity(world.cost, messageBytes);
  const deliveryCap = idleCapacity * mixLog((size) => size.deliveryCap / size.idleCapacity);
  const boundary = boundaryOf(idleCapacity, deliveryCap);
  const offsets = below.brokerOffsets.map((_, broker) => mix((size) => size.brokerOffsets[broker] ?? 0));
  const worst = Math.min(...offsets);
  return {
    messageBytes,
    boundary,
    idleCapacity,
    deliveryCap,
    largestLoad: boundary * mixLog((size) => size.largestLoad / size.boundary),
    curve: {
      ...below.curve,
      // 0 for the families that have none.
      steepness: mix((size) => size.curve.steepness),
      idleLoss: mixLog((size) => size.curve.idleLoss),
      ripplePhase: mix((size) => size.curve.ripplePhase),
    },
    brokerOffsets: offsets.map((offset) => offset - worst),
    rampBias: mix((size) => size.rampBias),
  };
}

interface Neighbours {
  readonly below: SizeWorld;
  readonly above: SizeWorld;
  /** Place between them in ln(size), 0..1. */
  readonly share: number;
}

function neighbours(sizes: readonly SizeWorld[], messageBytes: number): Neighbours {
  const ascending = [...sizes].sort((a, b) => a.messageBytes - b.messageBytes);
  const [first] = ascending;
  const last = ascending.at(-1);
  if (!first || !last) throw new RangeError('a world without sizes');
  const above = ascending.find((size) => size.messageBytes > messageBytes) ?? last;
  const below = ascending.findLast((size) => size.messageBytes < messageBytes) ?? first;
  if (above === below) return { below, above, share: 0 };
  const width = Math.log(above.messageBytes / below.messageBytes);
  return { below, above, share: Math.log(messageBytes / below.messageBytes) / width };
}

/** The place of the drawn size that is nearest in ln(size). */
export function nearestSize(sizes: readonly SizeWorld[], messageBytes: number): number {
  const distances = sizes.map((size) => Math.abs(Math.log(size.messageBytes / messageBytes)));
  return distances.indexOf(Math.min(...distances));
}
