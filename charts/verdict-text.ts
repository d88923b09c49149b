import type { TrialRecord } from '../boundary/run-document.ts';
import type { OverloadedVerdict, Verdict } from '../boundary/verdict.ts';
import { formatDuration, formatRatio } from './number-text.ts';

/** One shape per verdict, so that no table or picture depends on colour. */
export const VERDICT_SIGNS: Readonly<Record<Verdict['kind'], string>> = {
  sustained: '●',
  overloaded: '■',
  invalid: '×',
};

/** Says why the verdict is what it is, in one sentence without the verdict's own name. */
export function verdictReason(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'sustained':
      if (verdict.worst === null) return 'everything delivered in time; idle not read';
      return `least idle ${formatRatio(verdict.worst.idle.ratio)} on broker ${verdict.worst.brokerId}`;
    case 'overloaded':
      return overloadReason(verdict);
    case 'invalid':
      return `${verdict.reason}: ${verdict.detail}`;
  }
}

/** The verdict's reason, and of a hold how long the load was sustained. */
export function trialReason({ verdict, heldSeconds }: TrialRecord): string {
  const held = heldSeconds === undefined ? '' : `; held for ${formatDuration(heldSeconds)}`;
  return `${verdictReason(verdict)}${held}`;
}

function overloadReason(verdict: OverloadedVerdict): string {
  if (verdict.rule !== 'request-handler idle') return `${verdict.rule}: ${verdict.detail}`;
  const broker = verdict.brokerId === null ? 'a broker' : `broker ${verdict.brokerId}`;
  return `${verdict.rule} ${formatRatio(verdict.value)} on ${broker}, limit ${formatRatio(verdict.limit, 0)}`;
}

/** The rate at which a trial stands on an axis: what was acknowledged when sustained, else what was offered. */
export function trialRate(trial: TrialRecord): number {
  return trial.verdict.kind === 'sustained' ? trial.ackedPerSecond : trial.offeredPerSecond;
}
