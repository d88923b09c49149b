import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import type { TrialRecord } from '../../boundary/run-document.ts';
import { formatBytes } from '../../boundary/units.ts';
import { trialLagText } from '../../charts/consumer-text.ts';
import { trialLatencyText } from '../../charts/latency-text.ts';
import { limitFigure, limitSentence } from '../../charts/limit-figure.ts';
import { formatCount, formatPrecision, formatRatio, formatSeconds } from '../../charts/number-text.ts';
import { limitText, pointFigures } from '../../charts/point-figures.ts';
import { pointRemarks } from '../../charts/point-remarks.ts';
import { trialReason } from '../../charts/verdict-text.ts';
import type { TrialStage } from '../controller/run-event.ts';
import { printable } from '../printable.ts';
import type { ProgressEvent } from './progress-event.ts';

type TrialStarted = Extract<ProgressEvent, { type: 'trial started' }>;
type Eta = Omit<Extract<ProgressEvent, { type: 'eta' }>, 'type'>;

/** One line for a trial that starts: number, size, np, rate and the bounds so far; why it is run is told beside it. */
export function trialStartedText(event: TrialStarted): string {
  const rate = formatCount(event.np * event.unitRate);
  return `#${event.sequence}  ${formatBytes(event.messageBytes)}  np ${event.np} = ${rate}/s  ${boundsText(event.lower, event.upper)}`;
}

/** One line for a finished trial: number, load, verdict and why. */
export function trialFinishedText(record: TrialRecord): string {
  const { plan, verdict } = record;
  return `#${record.sequence}  ${formatBytes(plan.messageBytes)}  np ${plan.np}  ${formatCount(record.ackedPerSecond)}/s${trialLatencyText(record)}${trialLagText(record)}  ${verdict.kind} (${printable(trialReason(record))})`;
}

/** One line for a finished point: the limit with its interval or bounds, quality, what set it and what else there is to say. */
export function pointFinishedText(point: BoundaryPoint): string {
  const { lowerMessagesPerSecond: lower, upperMessagesPerSecond: upper } = pointFigures(point, 1);
  const figure = limitFigure(point);
  const estimate = figure.kind === 'estimate' ? [`limit ${limitSentence(figure).replace('±', '+/-')}`] : [];
  const sustains = lower === null ? 'nothing sustained' : `sustains ${formatCount(lower)}/s`;
  const overloaded = upper === null ? 'limit not reached' : `overloaded at ${formatCount(upper)}/s`;
  const limit = point.limit ? [`limited by ${limitText(point)}`] : [];
  const facts = [...estimate, sustains, overloaded, ...precision(point), point.quality, ...limit];
  const remarks = pointRemarks(point).map((remark) => `; ${printable(remark)}`);
  return `${formatBytes(point.messageBytes)}: ${facts.join(', ')}${remarks.join('')}`;
}

/** Half the gap between the bounds, where they are all that is known. */
function precision(point: BoundaryPoint): string[] {
  const { halfWidthRatio } = pointFigures(point, 1);
  const isBetween = limitFigure(point).kind === 'between';
  return isBetween && halfWidthRatio !== null ? [`+/- ${formatPrecision(halfWidthRatio)}`] : [];
}

/** `trials done` and the time left, as far as it is known. */
export function etaText({ trialsDone, secondsLeft, isSimulated }: Eta): string {
  const done = `${trialsDone} trial${trialsDone === 1 ? '' : 's'} done`;
  return secondsLeft === null || secondsLeft < 0.5
    ? done
    : `${done}, about ${formatSeconds(secondsLeft)}${isSimulated ? ' of simulated time' : ''} left`;
}

/** How far a trial is: `starts in 2 s`, `warm-up 4 s`, `window 3/6 s`; nothing while probing. */
export function stageText(stage: TrialStage | null): string {
  if (stage === null) return '';
  if (stage.elapsedSeconds < 0) return `starts in ${Math.ceil(-stage.elapsedSeconds)} s`;
  const elapsed = Math.floor(stage.elapsedSeconds);
  // a warm-up goes on until the brokers are steady, so its planned length would mislead
  if (stage.name === 'warm-up') return `warm-up ${elapsed} s`;
  const planned = Math.round(stage.plannedSeconds);
  return `window ${Math.min(elapsed, planned)}/${planned} s`;
}

/** Idle per broker; a reading below the limit carries a `!`, a page that did not answer a `?`. */
export function idleText(idleByBroker: Readonly<Record<string, number | null>>, idleLimit: number): string {
  const brokers = Object.entries(idleByBroker).sort(([a], [b]) => Number(a) - Number(b));
  if (brokers.length === 0) return 'idle not read yet';
  const cells = brokers.map(([id, idle]) => {
    if (idle === null) return `${id}:?`;
    return `${id}:${formatRatio(idle, 0).replace(' ', '')}${idle < idleLimit ? '!' : ''}`;
  });
  return `idle by broker ${cells.join(' ')}`;
}

/** Cuts a line to the width of the terminal: a wrapped line could not be redrawn. */
export function cutToWidth(line: string, columns: number): string {
  if (line.length <= columns) return line;
  return columns <= 3 ? line.slice(0, Math.max(0, columns)) : `${line.slice(0, columns - 3)}...`;
}

function boundsText(lower: number | null, upper: number | null): string {
  if (lower === null && upper === null) return 'no bounds yet';
  const [from, to] = [lower, upper].map((bound) => (bound === null ? '?' : formatCount(bound)));
  return `bounds ${from}..${to}/s`;
}
