import type { GroupRecord, TrialRecord } from '../boundary/run-document.ts';
import { formatCount } from './number-text.ts';

/** What all groups together consumed, messages per second; `-` without groups. */
export function consumedText({ consumers }: TrialRecord): string {
  return consumers ? formatCount(consumers.reduce((sum, group) => sum + group.consumedPerSecond, 0)) : '-';
}

/** The largest lag of a group at the end of the window, and how fast it grew: `1,200 +30/s`; `-` without groups. */
export function lagText({ consumers }: TrialRecord): string {
  const worst = consumers && worstGroup(consumers);
  if (!worst) return '-';
  if (worst.lag === null || worst.lagGrowthPerSecond === null) return 'not known';
  const growth = Math.round(worst.lagGrowthPerSecond);
  return `${formatCount(Math.max(0, worst.lag))} ${growth < 0 ? '-' : '+'}${formatCount(Math.abs(growth))}/s`;
}

/** What the line of a finished trial says of its consumers, with the gap before it; empty without groups. */
export function trialLagText(trial: TrialRecord): string {
  return trial.consumers ? `  lag ${lagText(trial)}` : '';
}

/** One of which nothing is known, else the one that falls behind most. */
function worstGroup(groups: readonly GroupRecord[]): GroupRecord | undefined {
  const growthOf = ({ lag, lagGrowthPerSecond }: GroupRecord) =>
    lag === null ? Number.POSITIVE_INFINITY : (lagGrowthPerSecond ?? Number.POSITIVE_INFINITY);
  return groups.reduce<GroupRecord | undefined>(
    (worst, group) => (worst && growthOf(worst) >= growthOf(group) ? worst : group),
    undefined,
  );
}
