import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import type { RunDocument, TrialRecord } from '../boundary/run-document.ts';
import { formatBytes } from '../boundary/units.ts';
import { bracketBar } from './bracket-bar.ts';
import { brokerBytesIn } from './broker-bytes-in.ts';
import { html, type Markup } from './html.ts';
import { formatCount, formatMegabytes, formatPrecision, formatSeconds } from './number-text.ts';
import { bySize, limitText, notesText, pointFigures } from './point-figures.ts';
import { lowerBoundWord } from './signals-text.ts';

/** The table of points: what was sustained, what overloaded, and what set the limit. */
export function pointsTable(document: RunDocument): Markup {
  const brokers = document.cluster.brokerIds.length;
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">Message size</th><th scope="col">Pro&shy;ducers</th><th scope="col">Messages/s ${lowerBoundWord(document)}</th><th scope="col">Messages/s overloaded</th><th scope="col">Precision</th><th scope="col">MB/s</th><th scope="col">MB/s per broker</th><th scope="col">Brokers' bytes-in, MB/s</th><th scope="col" class="text">Quality</th><th scope="col" class="text">Limited by</th><th scope="col">Trials</th><th scope="col">Time</th></tr></thead>
<tbody>${bySize(document.points).map((point) => pointRow(point, brokers, brokerBytesIn(point, document.trials)))}</tbody>
</table></div>`;
}

function pointRow(point: BoundaryPoint, brokers: number, bytesIn: number | null): Markup {
  const figures = pointFigures(point, brokers);
  const precision = figures.halfWidthRatio;
  const quality =
    point.notes.length > 0
      ? html`${point.quality}<br><span class="muted">${notesText(point)}</span>`
      : html`${point.quality}`;
  return html`<tr><th scope="row">${formatBytes(point.messageBytes)}</th><td>${known(point.lower?.np ?? null, formatCount)}</td><td>${known(figures.lowerMessagesPerSecond, formatCount)}</td><td>${known(figures.upperMessagesPerSecond, formatCount)}</td><td>${known(precision, (ratio) => `± ${formatPrecision(ratio)}`)}</td><td>${known(figures.megabytesPerSecond, formatMegabytes)}</td><td>${known(figures.megabytesPerSecondPerBroker, formatMegabytes)}</td><td>${known(bytesIn, formatMegabytes)}</td><td class="text${point.notes.length > 0 ? ' long' : ''}">${quality}</td><td class="text long">${limitText(point) || '-'}</td><td>${point.trials}</td><td>${formatSeconds(point.seconds)}</td></tr>
`;
}

/** One small picture per message size: how the search closed in. */
export function bracketFigures(document: RunDocument): Markup {
  const figures = bySize(document.points).map((point) => {
    const trials = trialsOf(document, point.messageBytes);
    return html`<figure><h3>${formatBytes(point.messageBytes)} messages</h3>${bracketBar(point, trials)}</figure>`;
  });
  return html`<div class="brackets">${figures}</div>`;
}

/** Trials at one message size in the order they ran. */
export function trialsOf(document: RunDocument, messageBytes: number): readonly TrialRecord[] {
  return document.trials
    .filter((trial) => trial.plan.messageBytes === messageBytes)
    .sort((a, b) => a.sequence - b.sequence);
}

function known(value: number | null, format: (value: number) => string): string {
  return value === null ? '-' : format(value);
}
