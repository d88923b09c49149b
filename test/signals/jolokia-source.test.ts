import { afterEach, describe, expect, it } from 'vitest';
import { BEAN_READS, readsFor, seriesOf } from '../../src/signals/jolokia-beans.ts';
import { jolokiaSource } from '../../src/signals/jolokia-source.ts';
import { seriesText } from '../../src/signals/series-name.ts';
import type { Look, LookRequest, SignalSource } from '../../src/signals/signal-source.ts';
import { type MetricsServer, startMetricsServer } from './metrics-server.ts';

let server: MetricsServer | null = null;
let source: SignalSource | null = null;
afterEach(async () => {
  source?.close();
  await server?.close();
});

interface AskedBean {
  readonly mbean: string;
  readonly attribute: readonly string[];
}

/** An agent that knows these beans by the object name that is asked for; the rest it does not have. */
async function startAgent(
  beans: Readonly<Record<string, unknown>>,
): Promise<{ readonly asked: AskedBean[][] }> {
  const asked: AskedBean[][] = [];
  server = await startMetricsServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', () => {
      const reads = JSON.parse(text) as AskedBean[];
      asked.push(reads);
      const answers = reads.map(({ mbean }) =>
        mbean in beans
          ? { request: { mbean }, value: beans[mbean], status: 200 }
          : { request: { mbean }, status: 404, error: `No MBean with pattern ${mbean} found` },
      );
      response.writeHead(200, { 'content-type': 'text/plain' }).end(JSON.stringify(answers));
    });
  });
  return { asked };
}

async function look(wanted: LookRequest['wanted'] = 'telling'): Promise<Look> {
  source = jolokiaSource((server?.url ?? '').replace('/metrics', '/jolokia'));
  return source.look({ wanted, deadlineMs: 2_000, nowMs: () => performance.now() });
}

const textsOf = (looked: Look) =>
  looked.kind === 'failed'
    ? looked.reason
    : looked.snapshots.flatMap(({ series }) =>
        series.samples.map((one) => `${seriesText(one)} ${one.value}`),
      );

const POOL = {
  'kafka.server:name=RequestHandlerAvgIdlePercent,type=KafkaRequestHandlerPool': {
    Count: 5e12,
    MeanRate: 0.9,
  },
};
const POOLS = 'kafka.server:type=KafkaRequestHandlerPool,name=*';
const COUNT = 'kafka_server_KafkaRequestHandlerPool_Count';

describe('seriesOf', () => {
  it.each([
    {
      why: 'as the exporter does without rules',
      mbean: 'kafka.server:name=BytesInPerSec,type=BrokerTopicMetrics',
      attributes: { Count: 7 },
      series: ['kafka_server_BrokerTopicMetrics_Count{name="BytesInPerSec"} 7'],
    },
    {
      why: 'all further keys as labels',
      mbean: 'kafka.network:type=RequestMetrics,name=TotalTimeMs,request=Produce',
      attributes: { '99thPercentile': 12 },
      series: ['kafka_network_RequestMetrics_99thPercentile{name="TotalTimeMs",request="Produce"} 12'],
    },
    {
      why: 'a text as a label',
      mbean: 'kafka.server:id=3,type=app-info',
      attributes: { Version: '4.4.0', StartTimeMs: 9, CommitId: 'abc' },
      series: [
        'kafka_server_app_info_Version{Version="4.4.0",id="3"} 1',
        'kafka_server_app_info_StartTimeMs{id="3"} 9',
      ],
    },
    {
      why: 'a quoted value without its quotes',
      mbean: 'java.lang:type=GarbageCollector,name="G1, \\"young\\""',
      attributes: { CollectionTime: 5 },
      series: ['java_lang_GarbageCollector_CollectionTime{name="G1, "young""} 5'],
    },
    {
      why: 'nothing of what is no number or could not be read',
      mbean: 'kafka.server:type=app-info,id=3',
      attributes: { Version: 'ERROR: no such attribute', StartTimeMs: null, Other: { a: 1 } },
      series: [],
    },
  ])('names attributes: $why', ({ mbean, attributes, series }) => {
    expect(seriesOf(mbean, attributes, ['Version']).map((one) => `${seriesText(one)} ${one.value}`)).toEqual(
      series,
    );
  });
});

describe('jolokiaSource', () => {
  it('asks for all beans in one request, and only for those wanted later', async () => {
    const { asked } = await startAgent({ [POOLS]: POOL });
    await look();
    await look(new Set([COUNT]));
    expect(asked.map((reads) => reads.length)).toEqual([BEAN_READS.length, 1]);
    expect(asked[1]?.[0]).toMatchObject({ mbean: POOLS, attribute: ['Count'] });
  });

  it('does without beans that the broker does not have', async () => {
    await startAgent({ [POOLS]: POOL, 'java.lang:type=Runtime': { StartTime: 3 } });
    expect(textsOf(await look())).toEqual([
      `${COUNT}{name="RequestHandlerAvgIdlePercent"} 5000000000000`,
      'kafka_server_KafkaRequestHandlerPool_MeanRate{name="RequestHandlerAvgIdlePercent"} 0.9',
      'java_lang_Runtime_StartTime 3',
    ]);
  });

  it('brings wanted series only, also where one request brings more', async () => {
    await startAgent({ [POOLS]: POOL });
    expect(textsOf(await look(new Set([COUNT])))).toEqual([
      `${COUNT}{name="RequestHandlerAvgIdlePercent"} 5000000000000`,
    ]);
  });

  it('fails without the idle meter, with the words of the agent', async () => {
    await startAgent({ 'java.lang:type=Runtime': { StartTime: 3 } });
    expect(textsOf(await look())).toBe(`no ${POOLS}: No MBean with pattern ${POOLS} found`);
  });

  it.each<{ why: string; status?: number; body: string; reason: RegExp }>([
    {
      why: 'credentials',
      status: 401,
      body: '',
      reason: /^HTTP 401: needs credentials that it takes \(signals\.user/,
    },
    { why: 'a status', status: 500, body: '', reason: /^HTTP 500$/ },
    {
      why: 'a metrics page',
      body: 'x 1\n',
      reason: /^answers no bulk read; is it the URL of a Jolokia agent/,
    },
    { why: 'one answer for many', body: '{"status":200,"value":{}}', reason: /^answers no bulk read/ },
    { why: 'fewer answers than asked', body: '[{"status":200,"value":{}}]', reason: /^answers no bulk read/ },
    { why: 'broken JSON', body: '[{"status":', reason: /^answers no bulk read/ },
  ])('fails with $why', async ({ status = 200, body, reason }) => {
    server = await startMetricsServer((request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(status).end(body));
    });
    expect(textsOf(await look())).toMatch(reason);
  });

  it.each([
    { url: 'http://b1:8778', place: 'http://b1:8778/jolokia/', why: 'the usual path' },
    { url: 'http://me:pw@b1:8778/jolokia', place: 'http://b1:8778/jolokia/', why: 'no credentials' },
    { url: 'http://b1/api/jolokia/', place: 'http://b1/api/jolokia/', why: 'any other path' },
  ])('shows $url as $place: $why', ({ url, place }) => {
    source = jolokiaSource(url);
    expect(source.place).toBe(place);
  });
});

it('reads nothing for names that no bean has', () => {
  expect(readsFor(new Set(['process_cpu_seconds_total']))).toEqual([]);
});
