import type { RunDocument, TrialRecord } from '../boundary/run-document.ts';
import { formatBytes } from '../boundary/units.ts';
import { consumedText, lagText } from './consumer-text.ts';
import { html, type Markup } from './html.ts';
import { p99Text } from './latency-text.ts';
import { formatCount, formatRatio } from './number-text.ts';
import { LIGHT_PALETTE as colour } from './palette.ts';
import { rowWithRemark } from './remark-row.ts';
import { trialReason, VERDICT_SIGNS } from './verdict-text.ts';

/** Columns beside those of the brokers. */
const FIXED_COLUMNS = 9;

/** A column that stands only where a trial has something to show in it. */
interface OptionalColumn {
  readonly heading: string;
  /** `-` for nothing. */
  readonly cell: (trial: TrialRecord) => string;
}

const OPTIONAL_COLUMNS: readonly OptionalColumn[] = [
  { heading: 'Acked p99', cell: ({ ackLatency }) => p99Text(ackLatency) },
  { heading: 'Consumed/s, all groups', cell: consumedText },
  { heading: 'Lag of the worst group', cell: lagText },
  { heading: 'Consumed p99', cell: ({ consumeLatency }) => p99Text(consumeLatency) },
];

/**
 * The journal of the search: every trial in the order they ran, with the idle share of every broker, the verdict and
 * its reason, and below it the sentence with which the search asked for the trial.
 */
export function trialsTable(document: RunDocument): Markup {
  const trials = [...document.trials].sort((a, b) => a.sequence - b.sequence);
  if (trials.length === 0) return html`<p>No trial was run.</p>`;
  const brokers = brokersOf(document);
  const limit = document.thresholds.idleRatio;
  const optional = OPTIONAL_COLUMNS.filter(({ cell }) => trials.some((trial) => cell(trial) !== '-'));
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">#</th><th scope="col">Size</th><th scope="col" class="text">Purpose</th><th scope="col">Pro&shy;ducers</th><th scope="col">Offered/s</th><th scope="col">Acked/s</th>${optional.map(({ heading }) => html`<th scope="col">${heading}</th>`)}${brokers.map((id) => html`<th scope="col" class="text">Broker ${id} idle</th>`)}<th scope="col">Seconds</th><th scope="col" class="text">Verdict</th><th scope="col" class="text">Reason</th></tr></thead>
<tbody>${trials.map((trial) => trialRow(trial, brokers, limit, optional))}</tbody></table></div>`;
}

function trialRow(
  trial: TrialRecord,
  brokers: readonly string[],
  limit: number,
  optional: readonly OptionalColumn[],
): Markup {
  const { verdict, plan, why = '' } = trial;
  const cells = html`<td>${trial.sequence}</td><td>${formatBytes(plan.messageBytes)}</td><td class="text">${plan.purpose}</td><td>${plan.np}</td><td>${formatCount(trial.offeredPerSecond)}</td><td>${formatCount(trial.ackedPerSecond)}</td>${optional.map(({ cell }) => html`<td>${cell(trial)}</td>`)}${brokers.map((id) => html`<td class="text">${idleCell(trial.idleByBroker[id] ?? null, limit)}</td>`)}<td>${trial.windowSeconds.toFixed(0)}</td><td class="text ${verdict.kind}">${VERDICT_SIGNS[verdict.kind]} ${verdict.kind}</td><td class="text long">${trialReason(trial)}</td>`;
  return rowWithRemark(cells, why, brokers.length + optional.length + FIXED_COLUMNS - 1);
}

const BAR_PX = 60;

/** A bar of the idle share with a mark at the limit; a reading below the limit is also set in bold. */
function idleCell(idle: number | null, limit: number): Markup {
  if (idle === null) return html`<span class="muted">not read</span>`;
  const filledPx = Math.max(0, Math.min(1, idle)) * BAR_PX;
  const isBelow = idle < limit;
  const text = isBelow
    ? html`<strong class="overloaded">${formatRatio(idle)}</strong>`
    : html`${formatRatio(idle)}`;
  return html`<span class="idle"><span>${text}</span><svg width="${BAR_PX}" height="14" viewBox="0 0 ${BAR_PX} 14" aria-hidden="true"><rect x="0" y="3" width="${BAR_PX}" height="8" fill="${colour.grid}"/><rect x="0" y="3" width="${filledPx.toFixed(1)}" height="8" fill="${isBelow ? colour.overloaded : colour.sustained}"/><path d="M${(limit * BAR_PX).toFixed(1)},0 v14" stroke="${colour.ink}" stroke-width="1.5" fill="none"/></svg></span>`;
}

function brokersOf(document: RunDocument): readonly string[] {
  const ids = new Set(document.cluster.brokerIds.map(String));
  for (const trial of document.trials) for (const id of Object.keys(trial.idleByBroker)) ids.add(id);
  return [...ids].sort((a, b) => Number(a) - Number(b));
}
