import type { HandlerPool } from '../../boundary/broker-reading.ts';
import { PlimsollError } from '../errors.ts';
import type { ChosenSeries } from './choose-series.ts';
import type { PageIdentity } from './page-identity.ts';
import { RATE_TITLES } from './series-table.ts';
import type { IdleAttribute, SignalName } from './signal-series.ts';

/** How a broker's idle will be had from its page. */
export type IdleChoice = HandlerChoice | CoreChoice;

export interface HandlerChoice {
  readonly kind: 'request handlers';
  readonly pool: HandlerPool;
  /** False: nothing on the page tells whether two pools share the meter; a second look may. */
  readonly isPoolSure: boolean;
  /** The page's attributes of the meter, at least one. */
  readonly attributes: readonly IdleAttribute[];
  /** For people. */
  readonly sentence: string;
}

export interface CoreChoice {
  readonly kind: 'cores';
  readonly cores: number;
  readonly sentence: string;
}

/** Higher than one pool ever reads: a late tick makes it 1.06 at most. */
export const HIGHEST_RATIO_OF_ONE_POOL = 1.1;

/** The signals of each meter by attribute, the best of them first. */
const METERS = {
  broker: {
    Count: 'brokerIdleCount',
    MeanRate: 'brokerIdleMeanRate',
    OneMinuteRate: 'brokerIdleOneMinuteRate',
    FiveMinuteRate: 'brokerIdleFiveMinuteRate',
    FifteenMinuteRate: 'brokerIdleFifteenMinuteRate',
  },
  shared: {
    Count: 'idleCount',
    MeanRate: 'idleMeanRate',
    OneMinuteRate: 'idleOneMinuteRate',
    FiveMinuteRate: 'idleFiveMinuteRate',
    FifteenMinuteRate: 'idleFifteenMinuteRate',
  },
} as const satisfies Record<string, Record<IdleAttribute, SignalName>>;

export type IdleMeterName = keyof typeof METERS;

export const IDLE_ATTRIBUTES = Object.keys(METERS.broker) as readonly IdleAttribute[];

export function idleSignal(meter: IdleMeterName, attribute: IdleAttribute): SignalName {
  return METERS[meter][attribute];
}

/** The meter in use: Kafka 4.2 and later have one of the broker's own, which then is the right one. */
export function meterInUse(chosen: ReadonlyMap<SignalName, ChosenSeries>): IdleMeterName {
  return IDLE_ATTRIBUTES.some((attribute) => chosen.has(METERS.broker[attribute])) ? 'broker' : 'shared';
}

/**
 * Decides whose threads the meter on this page speaks for and how its idle will be computed.
 * @returns null when the page has no attribute of the meter.
 * @throws PlimsollError METRIC_MISSING when the page does not tell enough to trust a number.
 */
export function chooseHandlers(
  chosen: ReadonlyMap<SignalName, ChosenSeries>,
  identity: PageIdentity,
  place: string,
): HandlerChoice | null {
  const meter = meterInUse(chosen);
  const attributes = IDLE_ATTRIBUTES.filter((attribute) => chosen.has(METERS[meter][attribute]));
  const [best] = attributes;
  if (best === undefined) return null;
  if (best === 'MeanRate' && attributes.length === 1 && !chosen.has('processStartSeconds')) {
    throw new PlimsollError(
      'METRIC_MISSING',
      `${place} has of the request-handler idle only the mean since the start, and not when that was; ` +
        'export its Count, or java.lang:type=Runtime',
    );
  }
  const highest = Math.max(
    0,
    ...attributes
      .filter((attribute) => attribute !== 'Count')
      .map((attribute) => chosen.get(METERS[meter][attribute])?.value ?? 0),
  );
  const { pool, isPoolSure } = poolOf(meter, highest, identity);
  if (!isPoolSure && pool !== 'broker' && best !== 'Count') throw poolUnknown(place);
  return { kind: 'request handlers', pool, isPoolSure, attributes, sentence: sentenceOf(attributes, pool) };
}

/** @param highestRatio the highest of the meter's rates, 0 without one. */
function poolOf(
  meter: IdleMeterName,
  highestRatio: number,
  { isCombined, isMeterAveraged }: PageIdentity,
): Pick<HandlerChoice, 'pool' | 'isPoolSure'> {
  if (meter === 'broker') return { pool: 'broker', isPoolSure: true };
  if (highestRatio > HIGHEST_RATIO_OF_ONE_POOL)
    return { pool: sharedPool(isMeterAveraged), isPoolSure: true };
  if (isCombined === null) return { pool: 'broker', isPoolSure: false };
  if (!isCombined) return { pool: 'broker', isPoolSure: true };
  return { pool: sharedPool(isMeterAveraged), isPoolSure: isMeterAveraged !== null };
}

/** Unless it is known to be the mean, it is taken for the sum, which makes a busy broker look busier, not idler. */
export function sharedPool(isMeterAveraged: boolean | null): HandlerPool {
  return isMeterAveraged === true ? 'mean of broker and controller' : 'sum of broker and controller';
}

export function poolUnknown(place: string): PlimsollError {
  return new PlimsollError(
    'METRIC_MISSING',
    `${place} is of a node that is broker and controller, and does not tell whether its idle meter adds or averages ` +
      'both (KAFKA-19606, KIP-1207); export kafka.server:type=app-info with its version, or ' +
      'BrokerRequestHandlerAvgIdlePercent of Kafka 4.2 and later',
  );
}

export function sentenceOf(attributes: readonly IdleAttribute[], pool: HandlerPool): string {
  return `idle ${estimatorWords(attributes)}${poolWords(pool)}`;
}

function estimatorWords(attributes: readonly IdleAttribute[]): string {
  const [best = 'Count'] = attributes;
  if (best !== 'Count') {
    const age = best === 'MeanRate' ? ' and the age of the process' : '';
    return `by its ${RATE_TITLES[best]}${age}, turned back into that of a window: with bounds, and trials take longer`;
  }
  return attributes.includes('MeanRate')
    ? 'by Count, clocked by the page itself (Count / mean rate): exact'
    : 'by Count over the time between two looks: exact but for the length of a look';
}

function poolWords(pool: HandlerPool): string {
  switch (pool) {
    case 'broker':
      return '';
    case 'sum of broker and controller':
      return "; the meter adds the controller's threads (KAFKA-19606), which are taken off";
    case 'mean of broker and controller':
      return "; the meter averages the controller's threads in (KIP-1207), which are taken off";
  }
}
