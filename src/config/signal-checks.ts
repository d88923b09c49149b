import type { z } from 'zod';
import type { ProblemSink } from './cross-checks.ts';
import type { MetricsPages } from './metrics-pages.ts';
import type { signalSettings } from './signal-settings.ts';

interface CheckedTogether {
  readonly metrics: MetricsPages;
  readonly signals: Readonly<z.output<typeof signalSettings>>;
}

/** Checks that the signals' settings fit each other and `metrics`; each problem is put on the setting most likely meant. */
export function checkSignals({ metrics, signals }: CheckedTogether, sink: ProblemSink): void {
  const report = (path: readonly string[], message: string) =>
    sink.addIssue({ code: 'custom', path: [...path], message });
  const { source, user, password, bearerToken, certFile, keyFile } = signals;
  const urls = Object.values(metrics);

  switch (source) {
    case 'none':
      if (urls.length > 0)
        report(['metrics'], 'is given although signals.source is none; leave one of them out');
      if (signals.idle !== null)
        report(['signals', 'idle'], 'is given although signals.source is none; leave one of them out');
      break;
    case 'prometheus':
      if (urls.length === 0) {
        report(
          ['signals', 'source'],
          'is prometheus, which needs the URL of its API in metrics, as in http://host:9090',
        );
      } else if (Array.isArray(metrics) && metrics.length > 1) {
        report(
          ['metrics'],
          'must be one URL, that of the Prometheus API (signals.source), or a map of broker id to URL',
        );
      }
      break;
    case 'jolokia':
      if (urls.length === 0) {
        report(
          ['signals', 'source'],
          "is jolokia, which needs the brokers' agents in metrics, as in http://host:8778/jolokia",
        );
      }
      break;
    case 'scrape':
      break;
  }
  if (signals.selector !== null && source !== 'prometheus') {
    report(['signals', 'selector'], `is for Prometheus, but signals.source is ${source}`);
  }
  if (user !== null && password === null)
    report(['signals', 'user'], 'is given without signals.password (PLIMSOLL_SIGNALS_PASSWORD)');
  if (password !== null && user === null) report(['signals', 'password'], 'is given without signals.user');
  if (bearerToken !== null && user !== null) {
    report(['signals', 'bearerToken'], 'is given beside signals.user; give one of them');
  }
  if (certFile !== null && keyFile === null)
    report(['signals', 'certFile'], 'is given without signals.keyFile');
  if (keyFile !== null && certFile === null)
    report(['signals', 'keyFile'], 'is given without signals.certFile');
}
