import { describe, expect, it } from 'vitest';
import { parseIdleSelector } from '../../src/signals/idle-selector.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import type { SignalName } from '../../src/signals/signal-series.ts';
import { BARE, PLACE, POOL, pageOf, REPLICAS, refusalOf } from './sample-pages.ts';

describe('parseIdleSelector', () => {
  for (const { text, name, labels = [], kind } of [
    { text: 'my_idle', name: 'my_idle', kind: null },
    { text: ' my_idle{} ', name: 'my_idle', kind: null },
    { text: 'a:b{pool="io"}', name: 'a:b', labels: [{ name: 'pool', value: 'io' }], kind: null },
    {
      text: 'my_idle{ pool = "io" , node="a\\"b,{c", } as One-Minute  rate',
      name: 'my_idle',
      labels: [
        { name: 'pool', value: 'io' },
        { name: 'node', value: 'a"b,{c' },
      ],
      kind: 'OneMinuteRate',
    },
    { text: 'my_idle as count ns', name: 'my_idle', kind: 'Count' },
    { text: 'my_idle as mean rate', name: 'my_idle', kind: 'MeanRate' },
    { text: 'my_idle as five-minute rate', name: 'my_idle', kind: 'FiveMinuteRate' },
    { text: 'my_idle as fifteen-minute rate', name: 'my_idle', kind: 'FifteenMinuteRate' },
    { text: 'my_idle as ratio', name: 'my_idle', kind: 'ratio' },
  ]) {
    it(text, () => {
      expect(parseIdleSelector(text)).toEqual({ text, name, labels, kind });
    });
  }

  for (const { text, says } of [
    { text: '', says: /\(empty\): it must read NAME/ },
    { text: 'my idle', says: /my idle: it must read NAME/ },
    { text: 'rate(my_idle[1m])', says: /it must read NAME/ },
    { text: 'my_idle{pool="io"', says: /it must read NAME/ },
    { text: 'my_idle{pool=io}', says: /pool=io is not of the form label="value"/ },
    { text: 'my_idle{pool=~"io"}', says: /is not of the form label="value"/ },
    { text: 'my_idle{pool="io" node="a"}', says: /is not of the form/ },
    { text: 'my_idle as two-minute rate', says: /"two-minute rate" is none of count ns, .*ratio/ },
  ]) {
    it(`refuses ${text || 'nothing'}`, () => {
      const { code, message } = refusalOf(() => parseIdleSelector(text));
      expect(code).toBe('CONFIG_INVALID');
      expect(message).toMatch(/^signals.idle: /);
      expect(message).toMatch(says);
    });
  }
});

describe('signals.idle decides which series is the idle', () => {
  const MINE = `kafka_requesthandler_idle{pool="io"} 0.7\nkafka_requesthandler_idle{pool="net"} 0.9\n`;
  const HELP = `# HELP ${BARE} x (kafka.server<type=KafkaRequestHandlerPool, name=RequestHandlerAvgIdlePercent><>FiveMinuteRate)\n`;
  for (const { why, text, selector, signal, value } of [
    {
      why: 'what it says',
      text: MINE,
      selector: 'kafka_requesthandler_idle{pool="io"} as one-minute rate',
      signal: 'idleOneMinuteRate',
      value: 0.7,
    },
    {
      why: 'case aside',
      text: MINE,
      selector: 'KAFKA_RequestHandler_idle{pool="net"} as five-minute rate',
      signal: 'idleFiveMinuteRate',
      value: 0.9,
    },
    {
      why: 'against the table',
      text: `${BARE}_count 5e12\n${BARE}_oneminuterate 0.4\n`,
      selector: `${BARE}_oneminuterate`,
      signal: 'idleOneMinuteRate',
      value: 0.4,
    },
    {
      why: 'the page tells by HELP',
      text: `${HELP}${BARE} 0.6\n`,
      selector: BARE,
      signal: 'idleFiveMinuteRate',
      value: 0.6,
    },
    {
      why: 'a ratio, the page tells which',
      text: `${HELP}${BARE} 0.6\n`,
      selector: `${BARE} as ratio`,
      signal: 'idleFiveMinuteRate',
      value: 0.6,
    },
    {
      why: 'a counter by its value',
      text: 'my_requesthandler_idle 5e12\n',
      selector: 'my_requesthandler_idle',
      signal: 'idleCount',
      value: 5e12,
    },
    {
      why: "the broker's own pool by its name",
      text: `${POOL}_brokerrequesthandleravgidlepercent 0.5\n`,
      selector: `${POOL}_brokerrequesthandleravgidlepercent as one-minute rate`,
      signal: 'brokerIdleOneMinuteRate',
      value: 0.5,
    },
  ] satisfies { why: string; text: string; selector: string; signal: SignalName; value: number }[]) {
    it(why, () => {
      const { chosen, wantedNames } = resolveSeries(pageOf(REPLICAS + text), PLACE, {
        idleSelector: selector,
      });
      const idle = [...chosen.values()].filter((series) => /idle/i.test(series.signal));
      expect(idle.map((series) => [series.signal, series.value])).toEqual([[signal, value]]);
      expect(wantedNames).toContain(idle[0]?.name);
    });
  }

  for (const { why, text, selector, code, says } of [
    {
      why: 'not on the page',
      text: `${MINE}${BARE}_count 5e12\n`,
      selector: 'kafka_requesthandlr_idle',
      code: 'METRIC_MISSING',
      says: /has no kafka_requesthandlr_idle \(signals.idle\); nearest: kafka_requesthandler_idle\{pool="io"\}, kafka_requesthandler_idle\{pool="net"\}/,
    },
    {
      why: 'several fit',
      text: MINE,
      selector: 'kafka_requesthandler_idle as one-minute rate',
      code: 'METRICS_MISMATCH',
      says: /fits .*"io".* and .*"net".*; add a label/,
    },
    {
      why: 'nothing tells what it is',
      text: MINE,
      selector: 'kafka_requesthandler_idle{pool="io"}',
      code: 'METRIC_MISSING',
      says: /nothing tells what .* = 0.7 .* is; say it: signals.idle: kafka_requesthandler_idle as one-minute rate/,
    },
    {
      why: 'a ratio of nobody knows which time',
      text: MINE,
      selector: 'kafka_requesthandler_idle{pool="io"} as ratio',
      code: 'METRIC_MISSING',
      says: /nothing tells what/,
    },
    {
      why: 'a ratio of what the page says is a counter',
      text: `${BARE}_count 5e12\n`,
      selector: `${BARE}_count as ratio`,
      code: 'METRIC_MISSING',
      says: /nothing tells what/,
    },
    {
      why: 'it cannot be that',
      text: MINE,
      selector: 'kafka_requesthandler_idle{pool="io"} as count ns',
      code: 'METRIC_MISSING',
      says: /= 0.7 of \S+ cannot be the Count/,
    },
    {
      why: 'bad syntax',
      text: MINE,
      selector: '{}',
      code: 'CONFIG_INVALID',
      says: /signals.idle: \{\}: it must read/,
    },
  ]) {
    it(`refuses: ${why}`, () => {
      const refusal = refusalOf(() =>
        resolveSeries(pageOf(REPLICAS + text), PLACE, { idleSelector: selector }),
      );
      expect(refusal.code).toBe(code);
      expect(refusal.message).toMatch(says);
    });
  }
});
