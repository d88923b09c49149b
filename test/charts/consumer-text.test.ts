import { describe, expect, it } from 'vitest';
import type { GroupRecord } from '../../boundary/run-document.ts';
import { consumedText, lagText, trialLagText } from '../../charts/consumer-text.ts';
import { sampleRecord } from '../store/sample-trial.ts';

const group = (change: Partial<GroupRecord> = {}): GroupRecord => ({
  group: 'plimsoll-r-group-1',
  consumedPerSecond: 1_045,
  consumedBytesPerSecond: 1_045_000,
  lag: 1_200,
  lagGrowthPerSecond: 30.4,
  ...change,
});
const trialOf = (...consumers: readonly GroupRecord[]) => ({ ...sampleRecord(1), consumers });

describe('what a trial says of its consumers', () => {
  it.each<[why: string, groups: GroupRecord[], text: string]>([
    ['a lag that grows', [group()], '1,200 +30/s'],
    ['one that shrinks', [group({ lagGrowthPerSecond: -420 })], '1,200 -420/s'],
    ['one that is steady', [group({ lag: 12, lagGrowthPerSecond: 0.3 })], '12 +0/s'],
    [
      'an end that was read a moment before the messages',
      [group({ lag: -3, lagGrowthPerSecond: 0 })],
      '0 +0/s',
    ],
    [
      'the group that falls behind most',
      [group({ lag: 9_000, lagGrowthPerSecond: 1 }), group()],
      '1,200 +30/s',
    ],
    ['a lag that is not known', [group(), group({ lag: null })], 'not known'],
    ['a growth that is not known', [group({ lagGrowthPerSecond: null }), group()], 'not known'],
  ])('%s', (_why, groups, text) => {
    expect(lagText(trialOf(...groups))).toBe(text);
    expect(trialLagText(trialOf(...groups))).toBe(`  lag ${text}`);
  });

  it('adds up what the groups consumed', () => {
    expect(consumedText(trialOf(group(), group()))).toBe('2,090');
  });

  it('says nothing without groups', () => {
    expect([consumedText, lagText].map((text) => text(sampleRecord(1)))).toEqual(['-', '-']);
    expect(trialLagText(sampleRecord(1))).toBe('');
  });
});
