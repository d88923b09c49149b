import { PlimsollError } from '../errors.ts';
import type { OpenedSource } from './broker-source.ts';
import {
  type LabelMatcher,
  matchersOfQuery,
  matchersText,
  nameMatcher,
  parseLabelMatchers,
} from './label-matchers.ts';
import type { GivenPlace, OpenedSources, OpenRequest } from './open-sources.ts';
import { PrometheusApi } from './prometheus-api.ts';
import { IDLE_NAMES, prometheusSource } from './prometheus-source.ts';

/**
 * Opens a source for every target of a Prometheus server that shows an idle meter, or for the one that is meant when
 * the URL is given for a broker (`1=http://host:9090/?instance=b1:7071`).
 * @throws PlimsollError METRICS_UNREACHABLE when the server does not answer or has no such target; METRICS_MISMATCH when
 * it has several for one broker; CONFIG_INVALID for a selector that cannot be read.
 */
export async function openPrometheusSources(
  given: readonly GivenPlace[],
  request: OpenRequest,
): Promise<OpenedSources> {
  const selector = parseLabelMatchers(request.selector ?? '');
  if (selector === null) {
    throw new PlimsollError(
      'CONFIG_INVALID',
      `signals.selector must be label matchers such as job="kafka", not ${request.selector}`,
    );
  }
  const opened = await Promise.all(given.map((place) => openPlace(place, selector, request)));
  return { opened: opened.flat(), areGiven: given.some(({ givenTo }) => givenTo !== null) };
}

async function openPlace(
  { url, givenTo }: GivenPlace,
  selector: readonly LabelMatcher[],
  request: OpenRequest,
): Promise<readonly OpenedSource[]> {
  const matchers = [...matchersOfQuery(new URL(url)), ...selector];
  const targets = await findTargets(url, matchers, request);
  if (givenTo !== null && targets.length > 1) {
    const names = targets.map(({ instance }) => instance).join(', ');
    throw new PlimsollError(
      'METRICS_MISMATCH',
      `the metrics of broker ${givenTo} are those of ${targets.length} targets (${names}); name one, ` +
        `as in ${givenTo}=http://host:9090/?instance=${targets[0]?.instance ?? 'host:7071'}`,
    );
  }
  return targets.map(({ instance, job }) => ({
    source: prometheusSource(url, narrowed(matchers, { instance, job }), request.options),
    givenTo,
    host: hostOf(instance),
  }));
}

interface Target {
  readonly instance: string;
  readonly job: string;
}

async function findTargets(
  url: string,
  matchers: readonly LabelMatcher[],
  { options, idleSelector, deadlineMs, nowMs }: OpenRequest,
): Promise<readonly Target[]> {
  const api = new PrometheusApi(url, options);
  try {
    const named = idleSelector === null ? IDLE_NAMES : nameMatcher(options.alsoTelling).value;
    const text = matchersText([{ label: '__name__', operator: '=~', value: named }, ...matchers]);
    const answer = await api.labelSets(`count by (instance, job) ({${text}})`, { deadlineMs, nowMs });
    if (answer.kind === 'failed') {
      throw new PlimsollError(
        'METRICS_UNREACHABLE',
        `Prometheus at ${api.place} does not answer: ${answer.reason}; check that metrics is the URL of its API`,
      );
    }
    if (answer.data.length === 0) {
      throw new PlimsollError(
        'METRICS_UNREACHABLE',
        `Prometheus at ${api.place} has no idle meter of a broker for {${matchersText(matchers)}}: check the selector, ` +
          'and that the brokers are scraped',
      );
    }
    return answer.data.map(({ instance = '', job = '' }) => ({ instance, job }));
  } finally {
    api.close();
  }
}

/** The target's own labels in place of what was asked of them. */
function narrowed(matchers: readonly LabelMatcher[], { instance, job }: Target): readonly LabelMatcher[] {
  const others = matchers.filter(({ label }) => label !== 'instance' && label !== 'job');
  return [
    { label: 'instance', operator: '=', value: instance },
    { label: 'job', operator: '=', value: job },
    ...others,
  ];
}

/** null when the label is no address, as in a pushed series. */
function hostOf(instance: string): string | null {
  return URL.canParse(`http://${instance}`) ? new URL(`http://${instance}`).hostname : null;
}
