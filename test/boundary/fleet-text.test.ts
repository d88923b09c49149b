import { describe, expect, it } from 'vitest';
import { byteRateText, offerText } from '../../boundary/fleet-text.ts';

const rates = [
  { messageBytes: 100, messagesPerSecond: 456_000 },
  { messageBytes: 10_000, messagesPerSecond: 123_456 },
];

describe('fleet text', () => {
  it.each([
    [45_678_901, '46 MB/s'],
    [1_234_000_000, '1.2 GB/s'],
    [123_000, '120 kB/s'],
    [0, '0 B/s'],
  ])('%d is %s', (bytesPerSecond, expected) => {
    expect(byteRateText(bytesPerSecond)).toBe(expected);
  });

  it('tells the measured sizes, or those that are asked for', () => {
    expect(offerText(rates)).toBe('46 MB/s of 100 B, 1.2 GB/s of 10 kB');
    expect(offerText(rates, [10])).toBe('4.6 MB/s of 10 B');
  });
});
