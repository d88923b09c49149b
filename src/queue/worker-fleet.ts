import { type FleetWorker, isMeasured } from '../../boundary/fleet-capacity.ts';
import type { WorkerInfo } from './load-job.ts';

/** The workers as placement sees them. Each measured its machine as if alone on it: those of one host share its cores. */
export function fleetOf(workers: readonly WorkerInfo[]): FleetWorker[] {
  return workers.map(({ workerId, host, concurrency, capacity }) => {
    const neighbours = workers.filter((other) => other.host === host).length;
    return {
      workerId,
      slots: concurrency,
      capacity: isMeasured(capacity) ? { ...capacity, cores: capacity.cores / neighbours } : null,
    };
  });
}
