import { describe, expect, it } from 'vitest';
import { checkSamples } from '../../src/doctor/check-source.ts';
import { lookRemedy, pageRemedy, placesRemedy } from '../../src/doctor/signal-remedies.ts';
import { PlimsollError } from '../../src/errors.ts';

const missing = (text: string) => new PlimsollError('METRIC_MISSING', text);

describe('the remedy fits the failure', () => {
  for (const { why, remedy, says } of [
    {
      why: 'a server that wants credentials',
      remedy: lookRemedy('scrape', 'HTTP 401: needs credentials that it takes'),
      says: /^set --signals-user and PLIMSOLL_SIGNALS_PASSWORD/,
    },
    {
      why: 'the start page of a Prometheus server',
      remedy: lookRemedy('scrape', 'not a metrics page (content type text/html)'),
      says: /of a Prometheus server: --signals prometheus$/,
    },
    {
      why: 'JSON of a Jolokia agent',
      remedy: lookRemedy('scrape', 'no metrics page (line 1: JSON)'),
      says: /of a Jolokia agent: --signals jolokia$/,
    },
    {
      why: 'the address of a Jolokia agent, which answers no GET',
      remedy: lookRemedy('scrape', 'http://b1:8778/jolokia: HTTP 404'),
      says: /of a Jolokia agent: --signals jolokia$/,
    },
    {
      why: 'no answer',
      remedy: lookRemedy('jolokia', 'connection refused'),
      says: /^check the URL \(mostly http:\/\/HOST:8778\/jolokia\)/,
    },
    {
      why: 'an exporter without rules to change',
      remedy: pageRemedy(missing('X is that of kafka_exporter: run the JMX exporter in each broker')),
      says: /^deploy\/jmx-exporter\/README\.md says how$/,
    },
    {
      why: "Redpanda's other page",
      remedy: pageRemedy(missing("X is Redpanda's internal page; give /public_metrics instead")),
      says: /^correct the URL$/,
    },
    {
      why: 'a series that was named wrongly',
      remedy: pageRemedy(missing('the page at X has no foo (signals.idle)')),
      says: /^correct the setting$/,
    },
    {
      why: 'rules that are too narrow',
      remedy: pageRemedy(missing('X has no request-handler idle')),
      says: /^change the exporter's rules/,
    },
    {
      why: 'a Prometheus that turns requests away',
      remedy: placesRemedy('prometheus', 'Prometheus at X does not answer: HTTP 403: needs credentials'),
      says: /^set --signals-user/,
    },
    {
      why: 'a Prometheus without these brokers',
      remedy: placesRemedy('prometheus', 'Prometheus at X has no idle meter of a broker for {job="kafak"}'),
      says: /^correct metrics \(mostly http:\/\/HOST:9090\) or signals\.selector/,
    },
    {
      why: 'pages that are not one a broker',
      remedy: placesRemedy('scrape', 'no metrics page for broker 2'),
      says: /^set metrics to one page per broker/,
    },
  ]) {
    it(why, () => expect(remedy).toMatch(says));
  }
});

it('says how long samples far apart make a window, and what makes it shorter', () => {
  expect(checkSamples('b1', 2_000)).toMatchObject({ status: 'ok', detail: 'one every 2 s' });
  expect(checkSamples('b1', 15_000)).toMatchObject({
    status: 'warn',
    detail: 'one every 15 s: a window takes 4, so each lasts at least 1 min 00 s',
    fix: expect.stringContaining('every 1 to 3 s'),
  });
});
