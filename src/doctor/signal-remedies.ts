import { PlimsollError } from '../errors.ts';
import type { SourceKind } from '../signals/signal-source.ts';

const USUAL: Readonly<Record<SourceKind, string>> = {
  scrape: 'check the URL (mostly http://HOST:PORT/metrics) and that the JMX exporter runs in the broker',
  prometheus: 'check signals.selector, and in Prometheus that the target is up',
  jolokia: 'check the URL (mostly http://HOST:8778/jolokia) and that the Jolokia agent runs in the broker',
};

const CREDENTIALS = 'set --signals-user and PLIMSOLL_SIGNALS_PASSWORD, or PLIMSOLL_SIGNALS_BEARER_TOKEN';

/** What to do about a place that gave no look at a broker, told from the place and the reason. */
export function lookRemedy(kind: SourceKind, text: string): string {
  if (isTurnedAway(text)) return CREDENTIALS;
  if (kind === 'scrape' && /\bhtml\b/.test(text)) {
    return `${USUAL.scrape}; of a Prometheus server: --signals prometheus`;
  }
  if (kind === 'scrape' && /\bjson\b|\/jolokia\b/i.test(text)) {
    return `${USUAL.scrape}; of a Jolokia agent: --signals jolokia`;
  }
  return USUAL[kind];
}

/** What to do about a page that answers but does not tell enough, or tells of something else. */
export function pageRemedy(error: unknown): string {
  if (!(error instanceof PlimsollError)) return 'report this as a bug';
  const { code, message } = error;
  if (code === 'METRICS_MISMATCH') return "give each broker's own metrics page";
  if (code === 'CONFIG_INVALID' || message.includes('(signals.idle)')) return 'correct the setting';
  if (message.includes('/public_metrics')) return 'correct the URL';
  if (message.includes('run the JMX exporter')) return 'deploy/jmx-exporter/README.md says how';
  return "change the exporter's rules; deploy/jmx-exporter/plimsoll.yaml has all that is needed";
}

/** What to do when the places that are given do not fit the brokers. */
export function placesRemedy(kind: SourceKind, reason: string): string {
  if (isTurnedAway(reason)) return CREDENTIALS;
  switch (kind) {
    case 'prometheus':
      return 'correct metrics (mostly http://HOST:9090) or signals.selector; the targets must be up in Prometheus';
    case 'scrape':
      return 'set metrics to one page per broker: 1=URL,2=URL,...';
    case 'jolokia':
      return 'set metrics to one agent per broker: 1=URL,2=URL,...';
  }
}

function isTurnedAway(reason: string): boolean {
  return /\bHTTP 40[13]\b/.test(reason);
}
