import { type FleetCapacity, fleetCapacity, rateAt } from '../../boundary/fleet-capacity.ts';
import { byteRateText, offerText } from '../../boundary/fleet-text.ts';
import type { FormerLimit } from '../../boundary/search/search.ts';
import { firstProbeLoad } from '../../boundary/search/unit-rate.ts';
import { BYTES_PER_MB, formatBytes } from '../../boundary/units.ts';
import { isSizeRange } from '../config/message-sizes.ts';
import type { Config } from '../config/schema.ts';
import { PlimsollError } from '../errors.ts';
import type { WorkerInfo } from '../queue/load-job.ts';
import { fleetOf } from '../queue/worker-fleet.ts';
import type { RunObserver } from './run-event.ts';

/** What a search is about to ask for. */
export interface FleetRequest {
  readonly config: Pick<Config, 'bpm' | 'load' | 'producer' | 'client'>;
  readonly former: readonly FormerLimit[];
  readonly observe: RunObserver;
}

/**
 * Tells before a search what its workers can offer, and warns where that is less than what may be asked for.
 *
 * @returns the search's ceiling; null when a worker has not measured itself, so that nobody knows.
 * @throws PlimsollError WORKER_MISSING when they cannot even offer what a search starts with.
 */
export function checkFleet(workers: readonly WorkerInfo[], request: FleetRequest): FleetCapacity | null {
  const { config, former, observe } = request;
  const fleet = fleetCapacity(fleetOf(workers), config.load.targetNp);
  if (!fleet) {
    const unknown = workers.filter(({ capacity }) => !capacity).map(({ workerId }) => workerId);
    const text = `what the workers can offer is not known: ${unknown.join(', ')} did not measure it`;
    if (unknown.length > 0) observe({ type: 'step', text });
    return null;
  }
  const sizes = isSizeRange(config.bpm) ? [config.bpm.from, config.bpm.to] : config.bpm;
  for (const messageBytes of sizes) refuseHopeless(fleet, messageBytes);
  const offers = offerText(fleet.rates, sizes);
  const text = `the workers can offer ${offers}; no more is asked of them${costlierText(config)}`;
  observe({ type: 'step', text });
  for (const warning of shortTexts(fleet, sizes, request)) observe({ type: 'warning', text: warning });
  for (const { messageBytes, estimate } of former) {
    if (estimate < rateAt(fleet.rates, messageBytes)) continue;
    const warning = `the former limit at ${formatBytes(messageBytes)}, ${byteRateText(estimate * messageBytes)}, is more than the workers can offer: ${moreText(fleet, messageBytes, estimate)}`;
    observe({ type: 'warning', text: warning });
  }
  return fleet;
}

function refuseHopeless(fleet: FleetCapacity, messageBytes: number): void {
  const least = firstProbeLoad(messageBytes);
  if (rateAt(fleet.rates, messageBytes) >= least) return;
  throw new PlimsollError(
    'WORKER_MISSING',
    `the workers can offer only ${offerText(fleet.rates, [messageBytes])}, less than the ${byteRateText(least * messageBytes)} that a search starts with: give them more CPU, or add workers`,
  );
}

function shortTexts(fleet: FleetCapacity, sizes: readonly number[], { config }: FleetRequest): string[] {
  const most = config.load.maxMegabytesPerSecond;
  if (most === null) return [];
  return sizes.flatMap((messageBytes) => {
    const wanted = (most * BYTES_PER_MB) / messageBytes;
    if (rateAt(fleet.rates, messageBytes) >= wanted) return [];
    const text = `the workers can offer ${offerText(fleet.rates, [messageBytes])} and not the ${byteRateText(most * BYTES_PER_MB)} of load.maxMegabytesPerSecond: the search ends there; ${moreText(fleet, messageBytes, wanted)}`;
    return [text];
  });
}

/** How many workers more it takes. @param wanted messages per second. */
function moreText({ workers, rates }: FleetCapacity, messageBytes: number, wanted: number): string {
  const each = rateAt(rates, messageBytes) / workers;
  const more = Math.max(1, Math.ceil(wanted / each) - workers);
  return more === 1 ? '1 more worker like them would do' : `${more} more workers like them would do`;
}

/** The measurement knows neither; with them, a load that is asked for may turn out too much for the workers. */
function costlierText({ client, producer }: FleetRequest['config']): string {
  const properties = { ...client, ...producer };
  const isEncrypted = /ssl/i.test(String(properties['security.protocol'] ?? ''));
  const isCompressed = String(properties['compression.codec'] ?? 'none') !== 'none';
  const costs = [...(isEncrypted ? ['TLS'] : []), ...(isCompressed ? ['compression'] : [])];
  return costs.length === 0 ? '' : ` (measured without ${costs.join(' and ')}, with which it is less)`;
}
