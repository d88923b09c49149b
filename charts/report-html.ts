import type { RunDocument } from '../boundary/run-document.ts';
import { curveSvg } from './curve-svg.ts';
import { html, type Markup, trustedMarkup } from './html.ts';
import { latencySection } from './latency-table.ts';
import { formatLatency } from './latency-text.ts';
import { hasEstimates } from './limit-figure.ts';
import { formatRatio } from './number-text.ts';
import { NARROW_PICTURE, WIDE_PICTURE } from './picture-size.ts';
import { purposesSentence } from './purpose-text.ts';
import { reportFacts } from './report-facts.ts';
import { bracketFigures, pointsTable } from './report-points.ts';
import { reportStyle } from './report-style.ts';
import { reportSummary } from './report-summary.ts';
import { trialsTable } from './report-trials.ts';
import { deliveryOnlyMark } from './signals-text.ts';
import { VERDICT_SIGNS } from './verdict-text.ts';

/**
 * Writes the report of a run as one page that needs nothing else: styles and pictures inside, no script, no request.
 * Everything that comes from the run is escaped.
 */
export function reportHtml(document: RunDocument): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plimsoll ${document.run.runId}</title>
<style>${trustedMarkup(reportStyle())}</style>
</head>
<body><main>
${reportSummary(document)}
<h2>The boundary</h2>
${curveFigure(document)}
${pointsTable(document)}
<h2>How to read it</h2>
${howToRead(document)}${latencySection(document)}
<h2>How the search closed in</h2>
<p class="muted">Every trial in the order it ran, from top to bottom. ${VERDICT_SIGNS.sustained} sustained, ${VERDICT_SIGNS.overloaded} overloaded, ${VERDICT_SIGNS.invalid} invalid (counts for nothing). ${hasEstimates(document.points) ? 'The band is the 95 % interval of the limit, the dashed line in it the estimate; the other lines are' : 'The lines are'} the lower and the upper bound at the end.</p>
${bracketFigures(document)}
<h2>Every trial</h2>
<p class="muted">${purposes(document)}The rate of one producer may differ between trials, so compare messages per second, not producers. Idle: share of the measured window in which a broker's request handlers had nothing to do; the mark in each bar is the limit, ${formatRatio(document.thresholds.idleRatio, 0)}.</p>
${trialsTable(document)}
${reportFacts(document)}
</main></body>
</html>
`;
  return page.text;
}

function curveFigure(document: RunDocument): Markup {
  const picture = (size: typeof WIDE_PICTURE) => trustedMarkup(embeddable(curveSvg(document, size)));
  return html`<div class="wide" role="img" aria-label="Boundary curve; the table below holds its figures">${picture(WIDE_PICTURE)}</div>
<div class="narrow" role="img" aria-label="Boundary curve; the table below holds its figures">${picture(NARROW_PICTURE)}</div>`;
}

/** Inside a page an SVG needs no namespace declarations, and a reader who looks for addresses finds none. */
function embeddable(svg: string): string {
  return svg.replaceAll(/ (?:xmlns|xmlns:xlink|version|baseProfile)="[^"]*"/g, '');
}

function purposes({ trials }: RunDocument): Markup {
  return trials.length === 0 ? html`` : html`Purpose: ${purposesSentence(trials)}. `;
}

const READ_ESTIMATES =
  'The line is the estimate of the limit: more than this and the cluster is overloaded. The limit itself lies, with a chance of 95 %, within the band; between the sizes both are drawn straight. The estimate comes from how idle the brokers were at all loads that were tried, so it is no load that was tried itself. Plan with the lower bound: the largest load that is confirmed as sustained. It may lie well below the line where the search had no need to try a nearer load. The upper bound is the smallest load that is confirmed as too much. A bound has more verdicts for than against it, and a second trial or the estimate to agree: a trial that the others contradict sets none.';

const READ_BOUNDS =
  'The line is the lower bound, the largest load that the cluster was seen to sustain: it sustains the loads on and below the line. The true limit lies between the line and the bar above it, where the cluster was seen to be overloaded. Precision is half the gap over its middle. Plan with the lower bound.';

/** Nothing to plan with where the brokers were not looked at. */
const READ_DELIVERY =
  'The line is the lower bound, the largest load that was seen to be delivered in time. Deliveries fell behind at the bar above it. Precision is half the gap over its middle.';

function readingOf(document: RunDocument): string {
  if (deliveryOnlyMark(document) !== null) return READ_DELIVERY;
  return hasEstimates(document.points) ? READ_ESTIMATES : READ_BOUNDS;
}

function howToRead(document: RunDocument): Markup {
  const { idleRatio, isrChurnShare, latencyP99Ms } = document.thresholds;
  const slow =
    latencyP99Ms === null
      ? ''
      : `, or more than 1 % of the messages took over ${formatLatency(latencyP99Ms)} to be acknowledged`;
  const behind = document.trials.some(({ consumers }) => consumers !== undefined)
    ? ', or a consumer group fell further and further behind'
    : '';
  const late = `messages were acknowledged too late because the brokers slowed down${slow}${behind}`;
  const overloaded =
    deliveryOnlyMark(document) === null
      ? `on some broker the request handlers were idle less than ${formatRatio(idleRatio, 0)} of the window, or in-sync replicas kept changing for more than ${formatRatio(isrChurnShare, 0)} of it, or ${late}`
      : `${late}; request handlers and in-sync replicas were not looked at`;
  return html`<p>${readingOf(document)}</p>
<p>Overloaded means: ${overloaded}.</p>
<p>The figures hold for this hardware, Kafka version, configuration and kind of message, with nothing else loading the cluster; after a change of any of them, measure again. A trial whose metrics were missing, whose load generator could not keep its pace or that lost a worker is invalid: it is run again and never counts as sustained.</p>`;
}
