import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import type { RunDocument, RunStatus } from '../boundary/run-document.ts';
import { OFFLINE_BROKER_SHARE, safeThroughput } from '../boundary/safe-throughput.ts';
import { formatBytes } from '../boundary/units.ts';
import { html, type Markup } from './html.ts';
import { limitFigure, limitSentence } from './limit-figure.ts';
import {
  formatCount,
  formatDuration,
  formatInstant,
  formatMegabytes,
  formatRatio,
  formatSeconds,
} from './number-text.ts';
import { bySize } from './point-figures.ts';
import { deliveryOnlyMark, signalsSentence } from './signals-text.ts';
import { isSimulated, kafkaFacts, SIMULATED_SENTENCE } from './simulated-text.ts';

/** The head of the report: what to plan with, and a warning when the run did not end as it should. */
export function reportSummary(document: RunDocument): Markup {
  const points = bySize(document.points);
  const brokers = document.cluster.brokerIds.length;
  const isDelivery = deliveryOnlyMark(document) !== null;
  return html`<h1>${isDelivery ? 'How much this Kafka cluster delivers' : 'How much this Kafka cluster safely takes'}</h1>
<p class="muted">${runFacts(document)}</p>
${simulatedBanner(document)}${banner(document)}${signalsBanner(document)}
<p class="headline">${isDelivery ? deliveryHeadline() : headline(points, brokers)}</p>
<div class="cards">${points.map((point) => card(point, brokers, isDelivery))}</div>
<p class="muted">${isDelivery ? 'At most' : 'Safe'} = ${formatRatio(1 - OFFLINE_BROKER_SHARE, 0)} of the largest load that the cluster was seen to sustain: when ${formatRatio(OFFLINE_BROKER_SHARE, 0)} of the brokers are down, the others carry their share too. MB = 1,000,000 bytes of message values, before replication.${lossOfOne(brokers)}${howLong(document)}</p>`;
}

/** In a small cluster one broker is more than the share that the safe figure allows for. */
function lossOfOne(brokers: number): string {
  if (brokers < 2 || 1 / brokers <= OFFLINE_BROKER_SHARE) return '';
  return ` With ${brokers} brokers the loss of one leaves only ${formatRatio(1 - 1 / brokers, 0)}; plan with that to carry it.`;
}

/** What was sustained for a window need not last; only a hold tells. */
function howLong({ points, trials }: RunDocument): string {
  const unheld = points.filter(({ lower, hold }) => lower && !hold?.lasted);
  const windows = trials
    .filter(({ plan, verdict }) => verdict.kind === 'sustained' && plan.purpose !== 'hold')
    .map(({ windowSeconds }) => windowSeconds);
  if (unheld.length === 0 || windows.length === 0) return '';
  const which =
    unheld.length === points.length
      ? ''
      : ` at ${bySize(unheld)
          .map(({ messageBytes }) => formatBytes(messageBytes))
          .join(', ')}`;
  return ` No load${which} was kept up for longer than ${formatDuration(Math.max(...windows))}: whether it lasts (burst credits, page cache) is told by a search with --hold.`;
}

function runFacts(document: RunDocument): string {
  const { run, cluster } = document;
  const count = cluster.brokerIds.length;
  return [
    `Run ${run.runId}`,
    `${count} broker${count === 1 ? '' : 's'}`,
    ...kafkaFacts(document),
    formatInstant(run.startedAtMs),
    `${document.trials.length} trial${document.trials.length === 1 ? '' : 's'}`,
    ...(run.finishedAtMs === null
      ? []
      : [`took ${formatSeconds((run.finishedAtMs - run.startedAtMs) / 1_000)}`]),
  ].join(' · ');
}

function banner(document: RunDocument): Markup {
  const { status, error } = document.run;
  if (status === 'finished' && error === null) return html``;
  return html`<p class="banner"><strong>${STATUS_WORDS[status]}</strong> ${error ?? 'What it found so far is below; the curve may still change.'}</p>`;
}

function simulatedBanner(document: RunDocument): Markup {
  if (!isSimulated(document)) return html``;
  return html`<p class="banner"><strong>${SIMULATED_SENTENCE}</strong></p>`;
}

function signalsBanner(document: RunDocument): Markup {
  if (deliveryOnlyMark(document) === null) return html``;
  return html`<p class="banner"><strong>Delivery only.</strong> ${signalsSentence(document)}</p>`;
}

const STATUS_WORDS: Readonly<Record<RunStatus, string>> = {
  finished: 'This run finished with an error.',
  running: 'This run is not finished.',
  interrupted: 'This run was interrupted.',
  failed: 'This run failed.',
};

function headline(points: readonly BoundaryPoint[], brokers: number): Markup {
  const safe = points.flatMap((point) => {
    const figures = point.lower && safeThroughput(point.lower.messagesPerSecond, point.messageBytes, brokers);
    return figures ? [{ point, perBroker: figures.brokerMegabytesPerSecond }] : [];
  });
  const first = safe[0];
  const last = safe.at(-1);
  if (!first || !last) return html`No load was confirmed sustained, so there is no safe figure yet.`;
  if (safe.length === 1) {
    return html`Plan with at most <strong>${formatMegabytes(first.perBroker)} MB/s per broker</strong> at ${formatBytes(first.point.messageBytes)} messages.`;
  }
  return html`Plan with at most <strong>${formatMegabytes(first.perBroker)} MB/s per broker</strong> at ${formatBytes(first.point.messageBytes)} messages and <strong>${formatMegabytes(last.perBroker)} MB/s per broker</strong> at ${formatBytes(last.point.messageBytes)}: what a broker takes depends on the size of the messages.`;
}

/** Without the brokers' signals there is nothing to plan with, whatever was delivered. */
function deliveryHeadline(): Markup {
  return html`No load here is known to be safe: plan with <strong>less</strong>, or measure again with the brokers' signals.`;
}

function card(point: BoundaryPoint, brokers: number, isDelivery: boolean): Markup {
  const size = formatBytes(point.messageBytes);
  const safe = point.lower && safeThroughput(point.lower.messagesPerSecond, point.messageBytes, brokers);
  if (!point.lower || !safe) {
    return html`<div class="card"><h3>${size} messages</h3><span class="figure">not known</span><p class="muted">No load was confirmed sustained (${point.quality}).</p></div>`;
  }
  const figure = limitFigure(point);
  const limit =
    figure.kind === 'estimate' ? html`<p class="muted">limit ${limitSentence(figure)}</p>` : html``;
  const caveat = point.quality === 'converged' ? '' : ` (${point.quality})`;
  const test = point.hold?.lasted ? `for ${formatDuration(point.hold.plannedSeconds)}` : 'in the test';
  return html`<div class="card"><h3>${size} messages</h3><span class="figure">${formatCount(safe.clusterMessagesPerSecond)}/s ${isDelivery ? 'at most' : 'safe'}</span><p>${formatMegabytes(safe.brokerMegabytesPerSecond)} MB/s per broker</p><p class="muted">${isDelivery ? 'delivered' : 'sustained'} ${test}: ${formatCount(point.lower.messagesPerSecond)}/s${caveat}</p>${limit}</div>`;
}
