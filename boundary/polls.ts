import type { BrokerPoll, BrokerReading } from './broker-reading.ts';

/** Readings per broker in the order of ids, each ordered by time; missed polls left out. */
export function readingsByBroker(polls: readonly BrokerPoll[]): Map<number, BrokerReading[]> {
  const byBroker = new Map<number, BrokerReading[]>();
  for (const poll of polls) {
    if (poll.kind !== 'reading') continue;
    const readings = byBroker.get(poll.brokerId);
    if (readings) readings.push(poll);
    else byBroker.set(poll.brokerId, [poll]);
  }
  for (const readings of byBroker.values()) readings.sort((a, b) => a.atMs - b.atMs);
  return new Map([...byBroker].sort(([a], [b]) => a - b));
}
