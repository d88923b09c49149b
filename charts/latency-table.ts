import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import type { LatencySummary } from '../boundary/latency.ts';
import type { RunDocument, TrialRecord } from '../boundary/run-document.ts';
import { FASTEST_TIMED_RATE } from '../boundary/timed-producers.ts';
import { formatBytes } from '../boundary/units.ts';
import { html, type Markup } from './html.ts';
import { formatLatency, percentileText, timedText } from './latency-text.ts';
import { formatCount } from './number-text.ts';
import { bySize } from './point-figures.ts';

const HEADINGS = ['p50', 'p90', 'p99', 'p99.9', 'Slowest'] as const;

/**
 * The section on latency: how long messages took at each lower bound, to the acknowledgement and, with consumer groups,
 * to the consumer. Empty when the run timed nothing.
 */
export function latencySection(document: RunDocument): Markup {
  const points = bySize(document.points).filter(({ lower }) => lower !== null);
  const trials = points.flatMap((point) => latencyTrial(point, document.trials) ?? []);
  const tooFast = points.filter(({ lower }) => (lower?.unitRate ?? 0) > FASTEST_TIMED_RATE);
  if (trials.length === 0 && tooFast.length === 0) return html``;
  return html`
<h2>Latency of the sustained loads</h2>
${trials.length === 0 ? html`` : table(trials)}
${untimedText(tooFast)}`;
}

/** Of the sustained trials at a point's lower bound that timed messages, the one with the largest p99. */
export function latencyTrial(
  { lower, messageBytes }: BoundaryPoint,
  trials: readonly TrialRecord[],
): TrialRecord | null {
  const timed = trials.filter(
    ({ plan, verdict, ackLatency }) =>
      plan.messageBytes === messageBytes &&
      plan.np === lower?.np &&
      plan.unitRate === lower.unitRate &&
      verdict.kind === 'sustained' &&
      ackLatency !== undefined,
  );
  const p99Ms = ({ ackLatency }: TrialRecord) => ackLatency?.p99Ms ?? Number.POSITIVE_INFINITY;
  return timed.reduce<TrialRecord | null>(
    (worst, trial) => (worst === null || p99Ms(trial) > p99Ms(worst) ? trial : worst),
    null,
  );
}

function table(trials: readonly TrialRecord[]): Markup {
  return html`<p class="muted">From the time at which a message was to be sent, so that no pause is left out, to its acknowledgement. ${consumeText(trials)}Where several trials ran at a load, of the slowest one. Times are whole milliseconds; up to about 5 of them are the measurement's own. Producers are alike, so where many run some are timed for all.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">Message size</th><th scope="col">Messages/s</th><th scope="col" class="text">Until</th>${HEADINGS.map((heading) => html`<th scope="col">${heading}</th>`)}<th scope="col" class="text">Timed</th></tr></thead>
<tbody>${trials.map(rowsOf)}</tbody></table></div>`;
}

function rowsOf(trial: TrialRecord): Markup {
  const { ackLatency, consumeLatency } = trial;
  return html`${ackLatency ? row(trial, 'acknowledged', ackLatency, timedText(trial)) : html``}${
    consumeLatency
      ? row(trial, 'consumed', consumeLatency, `${formatCount(consumeLatency.messages)} messages`)
      : html``
  }`;
}

function row(
  { plan, ackedPerSecond }: TrialRecord,
  until: string,
  latency: LatencySummary,
  timed: string,
): Markup {
  const { p50Ms, p90Ms, p99Ms, p999Ms, maxMs } = latency;
  return html`<tr><th scope="row">${formatBytes(plan.messageBytes)}</th><td>${formatCount(ackedPerSecond)}</td><td class="text">${until}</td>${[p50Ms, p90Ms, p99Ms, p999Ms, maxMs].map((ms) => html`<td>${percentileText(ms)}</td>`)}<td class="text">${timed}</td></tr>
`;
}

/** Consumption may be seen by another machine than the one that sent: its clock counts too. */
function consumeText(trials: readonly TrialRecord[]): string {
  const consumed = trials.flatMap(({ consumeLatency }) => consumeLatency ?? []);
  if (consumed.length === 0) return '';
  const errors = consumed.flatMap(({ clockErrorMs }) => clockErrorMs ?? []);
  const clocks =
    errors.length < consumed.length
      ? 'how far the clocks of the two are apart is not known'
      : `the clocks of the two may be apart by ${formatLatency(Math.max(...errors))}`;
  return `Consumed: until a consumer has read it; ${clocks}. `;
}

function untimedText(points: readonly BoundaryPoint[]): Markup {
  if (points.length === 0) return html``;
  const sizes = points.map(({ messageBytes }) => formatBytes(messageBytes)).join(', ');
  return html`<p class="muted">Latency not measured at ${sizes}: one producer sends more than ${formatCount(FASTEST_TIMED_RATE)} messages/s, and timing each of them would cost what is to be measured.</p>`;
}
