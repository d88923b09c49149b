import { PlimsollError } from '../errors.ts';
import { contradictsKind, originOf } from './bean-attribute.ts';
import { type Exposition, parseExposition, type Sample } from './exposition.ts';
import { type PageIdentity, readPageIdentity, requireReplicaManager } from './page-identity.ts';
import { hasSeriesName, isTellingName, SERIES_NAMES, seriesText } from './series-name.ts';
import { SIGNAL_NAMES, SIGNAL_SERIES, type SignalName } from './series-table.ts';

/** The series that carries a signal on this page. */
export interface ChosenSeries {
  readonly signal: SignalName;
  /** As the page writes it, labels sorted; finds the series again on the next page. */
  readonly series: string;
  readonly name: string;
  readonly value: number;
}

/** One sentence about one signal, for people. */
export interface SignalExplanation {
  readonly signal: SignalName;
  readonly isFound: boolean;
  readonly text: string;
}

/** How to read one broker's page. */
export interface PageResolution {
  readonly url: string;
  readonly idleCount: ChosenSeries;
  readonly chosen: ReadonlyMap<SignalName, ChosenSeries>;
  readonly identity: PageIdentity;
  readonly explanations: readonly SignalExplanation[];
}

/**
 * Decides from one page which series is which signal.
 * @param url names the page in messages.
 * @throws PlimsollError METRIC_MISSING when the page is broken, is a controller's, or has no Count of the idle meter;
 * METRICS_MISMATCH when it speaks for several brokers.
 */
export function resolveSeries(text: string, url: string): PageResolution {
  const page = parseExposition(text, isTellingName);
  if (page.kind === 'truncated') {
    throw new PlimsollError(
      'METRIC_MISSING',
      `the page at ${url} ends within line ${page.line}; check the exporter's log`,
    );
  }
  if (page.kind === 'broken') {
    throw new PlimsollError(
      'METRIC_MISSING',
      `the page at ${url} is no metrics page (line ${page.line}: ${page.reason}); give the exporter's URL`,
    );
  }
  requireReplicaManager(page, url);
  const choices = new Map(SIGNAL_NAMES.map((signal) => [signal, chooseSeries(page, signal, url)]));
  const chosen = new Map<SignalName, ChosenSeries>();
  for (const [signal, choice] of choices) {
    if (choice.chosen !== null) chosen.set(signal, choice.chosen);
  }
  const hasBrokerPool = chosen.has('brokerIdleCount');
  const idleCount = chosen.get(hasBrokerPool ? 'brokerIdleCount' : 'idleCount');
  if (idleCount === undefined) throw idleMissing(page, url);
  keepOneMeter(chosen, choices, hasBrokerPool);
  refuseSharedMeter(chosen, url);
  const explanations = [...choices].map(([signal, choice]) => ({
    signal,
    isFound: chosen.has(signal),
    text: choice.text,
  }));
  return { url, idleCount, chosen, identity: readPageIdentity(page), explanations };
}

interface Choice {
  readonly chosen: ChosenSeries | null;
  readonly text: string;
}

function chooseSeries(page: Exposition, signal: SignalName, url: string): Choice {
  const wanted = SIGNAL_SERIES[signal];
  const rejected: string[] = [];
  for (const seriesName of SERIES_NAMES.get(signal) ?? []) {
    const fitting: { sample: Sample; how: string }[] = [];
    for (const sample of page.samples) {
      if (!hasSeriesName(sample, seriesName)) continue;
      const origin = originOf(page, sample, wanted, seriesName);
      const isOtherBean = origin.bean !== null && origin.bean.toLowerCase() !== wanted.bean?.toLowerCase();
      if (
        isOtherBean ||
        origin.attribute !== wanted.attribute ||
        contradictsKind(sample.value, wanted.kind)
      ) {
        rejected.push(
          `${seriesText(sample)} = ${sample.value} is ${origin.attribute} by its ${origin.knownFrom}`,
        );
      } else if (!Number.isNaN(sample.value)) {
        fitting.push({ sample, how: `${origin.attribute} by its ${origin.knownFrom}` });
      }
    }
    const first = fitting[0];
    if (first === undefined) continue;
    const series = seriesText(first.sample);
    if (fitting.some(({ sample }) => seriesText(sample) !== series)) throw severalBrokers(fitting, url);
    const { name, value } = first.sample;
    return {
      chosen: { signal, series, name, value },
      text: `${wanted.title}: ${series} = ${value} (${first.how})`,
    };
  }
  const but = rejected.length > 0 ? `; ${rejected.join('; ')}` : '';
  return { chosen: null, text: `${wanted.title}: not on the page${but}` };
}

function severalBrokers(fitting: readonly { sample: Sample }[], url: string): PlimsollError {
  const names = fitting.slice(0, 2).map(({ sample }) => seriesText(sample));
  return new PlimsollError(
    'METRICS_MISMATCH',
    `the page at ${url} speaks for more than one broker (${names.join(' and ')}); give each broker's own page`,
  );
}

/** Self-clocking divides Count by MeanRate, so both must be of one meter: the other pool's series are dropped. */
function keepOneMeter(
  chosen: Map<SignalName, ChosenSeries>,
  choices: Map<SignalName, Choice>,
  hasBrokerPool: boolean,
): void {
  const unused = hasBrokerPool
    ? (['idleCount', 'idleMeanRate'] as const)
    : (['brokerIdleCount', 'brokerIdleMeanRate'] as const);
  for (const signal of unused) {
    chosen.delete(signal);
    choices.delete(signal);
  }
}

/**
 * Until Kafka 4.1 a combined broker and controller adds both pools into one meter, 0..2: a saturated broker would
 * read as idle (KAFKA-19606). 1.06 is as high as one pool gets.
 */
function refuseSharedMeter(chosen: ReadonlyMap<SignalName, ChosenSeries>, url: string): void {
  const meanRate = chosen.get('idleMeanRate');
  if (meanRate === undefined || meanRate.value <= 1.1) return;
  throw new PlimsollError(
    'METRIC_MISSING',
    `the idle at ${url} adds broker and controller threads (mean ${meanRate.value.toFixed(2)}, KAFKA-19606); ` +
      'run the controller as its own process, or Kafka 4.2 or later',
  );
}

function idleMissing(page: Exposition, url: string): PlimsollError {
  const near = page.samples.find(
    (sample) =>
      /(^|[^r])requesthandleravgidle/i.test(seriesText(sample)) && !/control/i.test(seriesText(sample)),
  );
  const bean = 'kafka.server:type=KafkaRequestHandlerPool,name=RequestHandlerAvgIdlePercent';
  if (near === undefined) {
    return new PlimsollError(
      'METRIC_MISSING',
      `the page at ${url} has no request-handler idle (${bean}); add the bean to the exporter's rules`,
    );
  }
  return new PlimsollError(
    'METRIC_MISSING',
    `the page at ${url} has ${seriesText(near)} = ${near.value}, a rate averaged over a minute or more, ` +
      `but not the Count of ${bean}; export its Count`,
  );
}
