import type { BoundaryPoint, LoadBound } from '../boundary/boundary-point.ts';
import type { TrialRecord } from '../boundary/run-document.ts';
import { html, type Markup } from './html.ts';
import { type LimitFigure, limitFigure } from './limit-figure.ts';
import { formatShort } from './number-text.ts';
import { LIGHT_PALETTE as colour } from './palette.ts';
import { trialRate } from './verdict-text.ts';

const WIDTH_PX = 360;
const LEFT_PX = 30;
const RIGHT_PX = 22;
const TOP_PX = 10;
const ROW_PX = 13;
const AXIS_PX = 34;

/**
 * Draws the search at one message size: a row per trial in the order they ran, each where its rate lies, over the
 * bracket that was left at the end and the interval of the limit. Circle: sustained, square: overloaded, cross: invalid.
 */
export function bracketBar(point: BoundaryPoint, trials: readonly TrialRecord[]): Markup {
  const limit = limitFigure(point);
  const rates = [
    ...trials.map(trialRate),
    ...(limit.kind === 'estimate' ? [limit.high] : []),
    point.lower?.messagesPerSecond ?? 0,
    point.upper?.messagesPerSecond ?? 0,
  ];
  const most = Math.max(...rates, 1) * 1.04;
  const x = (rate: number) => LEFT_PX + (rate / most) * (WIDTH_PX - LEFT_PX - RIGHT_PX);
  const bottom = TOP_PX + Math.max(trials.length, 1) * ROW_PX + 4;
  const height = bottom + AXIS_PX;
  return html`<svg viewBox="0 0 ${WIDTH_PX} ${height}" width="${WIDTH_PX}" height="${height}" role="img" aria-label="Trials in the order they ran, by messages per second" font-family="inherit" font-size="11">
${sustainedArea(point, x, bottom)}${intervalArea(limit, x, bottom)}${boundLines(point, x, bottom)}
${axis(most, x, bottom)}
${trials.map((trial, index) => trialMark(trial, x(trialRate(trial)), TOP_PX + (index + 0.5) * ROW_PX))}
</svg>`;
}

type Scale = (rate: number) => number;

function sustainedArea({ lower }: BoundaryPoint, x: Scale, bottom: number): Markup {
  if (!lower) return html``;
  return html`<rect x="${x(0)}" y="${TOP_PX - 4}" width="${x(lower.messagesPerSecond) - x(0)}" height="${bottom - TOP_PX + 4}" fill="${colour.sustainedTint}"/>`;
}

function boundLines({ lower, upper }: BoundaryPoint, x: Scale, bottom: number): Markup {
  const edge = (bound: LoadBound | null, stroke: string) =>
    bound === null
      ? html``
      : html`<path d="M${x(bound.messagesPerSecond)},${TOP_PX - 6} V${bottom}" stroke="${stroke}" stroke-width="1.5" fill="none"/>`;
  return html`${edge(lower, colour.sustained)}${edge(upper, colour.overloaded)}`;
}

/** The 95 % interval as a band, the estimate as a dashed line in it. */
function intervalArea(limit: LimitFigure, x: Scale, bottom: number): Markup {
  if (limit.kind !== 'estimate') return html``;
  const { low, high, messagesPerSecond } = limit;
  return html`<rect x="${x(low)}" y="${TOP_PX - 6}" width="${x(high) - x(low)}" height="${bottom - TOP_PX + 6}" fill="${colour.interval}"/><path d="M${x(messagesPerSecond)},${TOP_PX - 6} V${bottom}" stroke="${colour.sustained}" stroke-width="1" stroke-dasharray="3 3" fill="none"/>`;
}

function axis(most: number, x: Scale, bottom: number): Markup {
  const ticks = niceTicks(most).map(
    (tick) =>
      html`<path d="M${x(tick)},${bottom} v4" stroke="${colour.muted}" fill="none"/><text x="${x(tick)}" y="${bottom + 16}" text-anchor="middle" fill="${colour.ink}">${formatShort(tick)}</text>`,
  );
  return html`<path d="M${x(0)},${bottom} H${x(most)}" stroke="${colour.muted}" fill="none"/>${ticks}<text x="${x(most)}" y="${bottom + 30}" text-anchor="end" fill="${colour.muted}">messages per second</text>`;
}

function trialMark(trial: TrialRecord, x: number, y: number): Markup {
  const number = html`<text x="${LEFT_PX - 6}" y="${y + 4}" text-anchor="end" fill="${colour.muted}" font-size="10">${trial.sequence}</text>`;
  switch (trial.verdict.kind) {
    case 'sustained':
      return html`${number}<circle cx="${x}" cy="${y}" r="4" fill="${colour.sustained}"/>`;
    case 'overloaded':
      return html`${number}<rect x="${x - 4}" y="${y - 4}" width="8" height="8" fill="${colour.overloaded}"/>`;
    case 'invalid':
      return html`${number}<path d="M${x - 4},${y - 4} l8,8 M${x - 4},${y + 4} l8,-8" stroke="${colour.invalid}" stroke-width="2" fill="none"/>`;
  }
}

/** Round numbers from 0 up to `most`, four to six of them. */
function niceTicks(most: number): number[] {
  const rough = most / 4;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 5, 10].map((factor) => factor * decade).find((candidate) => candidate >= rough) ?? rough;
  const ticks: number[] = [];
  for (let index = 0; index * step <= most; index += 1) ticks.push(index * step);
  return ticks;
}
