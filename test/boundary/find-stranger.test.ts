import { describe, expect, it } from 'vitest';
import type { BrokerReading } from '../../boundary/broker-reading.ts';
import { findStranger, strangerText } from '../../boundary/find-stranger.ts';
import { evidenceOf } from './evidence.ts';

const SECONDS = 10;
const LOAD = { messageBytes: 1_000, acked: 3_000 * SECONDS, brokerIds: [1, 2, 3] };

type Shown = (id: number, second: number) => Partial<BrokerReading>;

const strangerOf = (reading: Shown, acked = LOAD.acked) => {
  const { polls, window } = evidenceOf({ seconds: SECONDS, reading });
  return findStranger(polls, { ...LOAD, window, acked });
};
const meter = (count: number) => ({ count, oneMinuteRate: null });
const messages =
  (...perSecond: readonly number[]): Shown =>
  (id, second) => ({ messagesIn: meter(second * (perSecond[id - 1] ?? 0)) });

describe('findStranger', () => {
  it.each<readonly [why: string, expected: number | null, reading: Shown]>([
    ['all is counted', null, messages(1_000, 1_000, 1_000)],
    ['one counts nothing: of a cluster where nobody sends', 2, messages(1_000, 0, 1_000)],
    ['all of another cluster, with a load of its own', 3, messages(100, 200, 50)],
    ['a broker at its limit takes less, the others make up for it', null, messages(1_450, 100, 1_450)],
    ['somebody else sends too', null, messages(4_000, 3_000, 2_000)],
    ['what the edges of the window cost', null, messages(900, 850, 900)],
    [
      'served eight seconds late, when nothing was sent yet',
      1,
      (_, second) => ({ messagesIn: meter(Math.max(0, second - 8) * 1_000) }),
    ],
    [
      'bytes tell where messages are not shown',
      2,
      (id, second) => ({ messagesIn: null, bytesIn: meter(id === 2 ? 0 : second * 1_020_000) }),
    ],
    [
      'one shows neither: nobody can tell',
      null,
      (id) => (id === 3 ? { messagesIn: null, bytesIn: null } : {}),
    ],
    [
      'one-minute rates of a steady load',
      2,
      (id) => ({ messagesIn: { count: null, oneMinuteRate: id === 2 ? 1 : 1_000 } }),
    ],
  ])('%s', (_why, expected, reading) => {
    expect(strangerOf(reading)?.brokerId ?? null).toBe(expected);
  });

  it('says nothing of next to no load', () => {
    expect(strangerOf(messages(0, 0, 0), 30)).toBeNull();
  });

  it('tells what was counted and what was sent', () => {
    const stranger = strangerOf(messages(1_000, 1, 1_000));
    expect(stranger && strangerText(stranger)).toContain(
      '10,000 messages each, but the signals of broker 2 count 10:',
    );
  });
});
