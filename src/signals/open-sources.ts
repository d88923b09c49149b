import type { MetricsPages } from '../config/metrics-pages.ts';
import { PlimsollError } from '../errors.ts';
import type { BrokerAddress, OpenedSource } from './broker-source.ts';
import { jolokiaSource } from './jolokia-source.ts';
import { openPrometheusSources } from './prometheus-targets.ts';
import { scrapeSource } from './scrape-source.ts';
import type { SourceKind } from './signal-source.ts';
import type { SourceOptions } from './source-options.ts';

export interface OpenRequest {
  readonly kind: SourceKind;
  readonly brokers: readonly BrokerAddress[];
  readonly metrics: MetricsPages;
  /** Label matchers that the brokers' series have in Prometheus; null: any. */
  readonly selector: string | null;
  readonly idleSelector: string | null;
  readonly options: SourceOptions;
  readonly deadlineMs: number;
  readonly nowMs: () => number;
}

export interface OpenedSources {
  readonly opened: readonly OpenedSource[];
  /** Whether each of them is meant to be a broker's; those that were found may be anything. */
  readonly areGiven: boolean;
}

/** Where exporters usually listen: JMX exporter, Strimzi, Bitnami, MSK, Confluent for Kubernetes, reporter. */
export const USUAL_METRICS_PORTS = [7071, 9404, 5556, 11001, 7778, 8080] as const;

/**
 * Opens a source for every place that may carry a broker's signals: those given, or those found on the usual ports of
 * the brokers' hosts or among the targets of a Prometheus server.
 * @throws PlimsollError METRICS_MISMATCH when a place is given for a broker that the cluster does not have;
 * METRICS_UNREACHABLE when Prometheus does not answer; CONFIG_INVALID for a selector that cannot be read.
 */
export async function openSources(request: OpenRequest): Promise<OpenedSources> {
  const { kind, brokers, options } = request;
  const given = givenPlaces(request.metrics);
  requireKnownBrokers(given, brokers);
  switch (kind) {
    case 'prometheus':
      return openPrometheusSources(given, request);
    case 'jolokia':
      return {
        opened: given.map(({ url, givenTo }) => ({
          source: jolokiaSource(url, options),
          givenTo,
          host: new URL(url).hostname,
        })),
        areGiven: true,
      };
    case 'scrape':
      return openPages(given.length > 0 ? given : usualPlaces(brokers), options, given.length > 0);
  }
}

export interface GivenPlace {
  readonly url: string;
  readonly givenTo: number | null;
}

function givenPlaces(metrics: MetricsPages): readonly GivenPlace[] {
  if (isList(metrics)) return metrics.map((url) => ({ url, givenTo: null }));
  return Object.entries(metrics).map(([id, url]) => ({ url, givenTo: Number(id) }));
}

function isList(metrics: MetricsPages): metrics is readonly string[] {
  return Array.isArray(metrics);
}

function requireKnownBrokers(given: readonly GivenPlace[], brokers: readonly BrokerAddress[]): void {
  const stranger = given.find(({ givenTo }) => givenTo !== null && !brokers.some(({ id }) => id === givenTo));
  if (stranger === undefined) return;
  throw new PlimsollError(
    'METRICS_MISMATCH',
    `metrics names broker ${stranger.givenTo} (${stranger.url}), but the cluster's brokers are ` +
      `${brokers.map(({ id }) => id).join(', ')}; correct the metrics setting`,
  );
}

function openPages(places: readonly GivenPlace[], options: SourceOptions, areGiven: boolean): OpenedSources {
  const opened = places.map(({ url, givenTo }) => ({
    source: scrapeSource(url, options),
    givenTo,
    host: new URL(url).hostname,
  }));
  return { opened, areGiven };
}

function usualPlaces(brokers: readonly BrokerAddress[]): readonly GivenPlace[] {
  const hosts = [...new Set(brokers.map((broker) => broker.host))];
  return hosts.flatMap((host) =>
    USUAL_METRICS_PORTS.map((port) => ({ url: `http://${urlHost(host)}:${port}/metrics`, givenTo: null })),
  );
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
