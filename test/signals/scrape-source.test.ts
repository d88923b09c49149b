import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { scrapeSource } from '../../src/signals/scrape-source.ts';
import type { Look, LookRequest, SignalSource } from '../../src/signals/signal-source.ts';
import { PLAIN_SOURCE } from '../../src/signals/source-options.ts';
import { type MetricsServer, sendText, startMetricsServer } from './metrics-server.ts';

let server: MetricsServer | null = null;
let source: SignalSource | null = null;
afterEach(async () => {
  source?.close();
  await server?.close();
});

const clock = () => performance.timeOrigin + performance.now();

async function lookAt(answer: MetricsServer['answer'], request: Partial<LookRequest> = {}): Promise<Look> {
  server = await startMetricsServer(answer);
  source = scrapeSource(server.url);
  return source.look({ wanted: new Set(['x']), deadlineMs: 2_000, nowMs: clock, ...request });
}

/** The samples of the one snapshot, as text. */
function samplesOf(look: Look): readonly string[] {
  if (look.kind === 'failed') return [`failed: ${look.reason}`];
  return look.snapshots.flatMap(({ series }) => series.samples.map(({ name, value }) => `${name} ${value}`));
}

function send(headers: Record<string, string>, body: string | Buffer): MetricsServer['answer'] {
  return (_, response) => response.writeHead(200, headers).end(body);
}

const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

describe('scrapeSource reads', () => {
  it.each([
    { why: 'only what is wanted', answer: send({}, 'y 2\nx 1\nx_total 3\n') },
    { why: 'gzip', answer: send({ 'content-encoding': 'gzip' }, gzipSync('x 1\n')) },
    { why: 'the older name of gzip', answer: send({ 'content-encoding': 'x-gzip' }, gzipSync('x 1\n')) },
    {
      why: 'OpenMetrics, although not asked for',
      answer: send({ 'content-type': OPEN_METRICS }, 'x 1\n# EOF\n'),
    },
  ])('$why', async ({ answer }) => {
    expect(samplesOf(await lookAt(answer))).toEqual(['x 1']);
  });

  it('everything that tells on a first look, and the series that the user named', async () => {
    const page = 'kafka_server_app_info_version{id="1"} 1\nmy_idle 2\nother 3\n';
    server = await startMetricsServer((_, response) => sendText(response, page));
    source = scrapeSource(server.url, { ...PLAIN_SOURCE, alsoTelling: new Set(['my_idle']) });
    const look = await source.look({ wanted: 'telling', deadlineMs: 2_000, nowMs: clock });
    expect(samplesOf(look)).toEqual(['kafka_server_app_info_version 1', 'my_idle 2']);
  });
});

it('asks for the plain format and tells when, how long and how much', async () => {
  let asked: Record<string, unknown> = {};
  const packed = gzipSync('x 1\n');
  const times = [1_000, 1_040];
  const look = await lookAt(
    (request, response) => {
      asked = request.headers;
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' }).end(packed);
    },
    { nowMs: () => times.shift() ?? Number.NaN },
  );
  expect(look).toMatchObject({
    kind: 'looked',
    tookMs: 40,
    bytes: packed.byteLength,
    snapshots: [{ atMs: 1_020, scrapeMs: 40 }],
  });
  const [snapshot] = look.kind === 'looked' ? look.snapshots : [];
  expect(Math.abs((snapshot?.serverDateMs ?? 0) - Date.now())).toBeLessThan(2_000);
  expect(asked).toMatchObject({
    accept: 'text/plain;version=0.0.4',
    'accept-encoding': 'gzip',
    connection: 'keep-alive',
  });
});

describe('scrapeSource says shortly why there is no look', () => {
  const cut = gzipSync('x 1\n'.repeat(100)).subarray(0, 20);
  it.each<{ why: string; answer: MetricsServer['answer']; reason: RegExp }>([
    {
      why: 'HTTP status',
      answer: (_, response) => response.writeHead(503).end('x 1\n'),
      reason: /^HTTP 503$/,
    },
    {
      why: 'credentials',
      answer: (_, response) => response.writeHead(401).end(),
      reason: /^HTTP 401: needs credentials that it takes \(signals\.user/,
    },
    {
      why: 'a web page',
      answer: send({ 'content-type': 'text/html' }, '<html/>'),
      reason: /^not a metrics page \(content type text\/html\)$/,
    },
    { why: 'start delay', answer: (_, response) => sendText(response, ''), reason: /^empty page/ },
    {
      why: 'no metrics at all',
      answer: send({}, 'hello world, this is no page\n'),
      reason: /^no metrics page/,
    },
    { why: 'an end within a line', answer: send({}, 'x 1\nx 2'), reason: /^page ends too early/ },
    {
      why: 'OpenMetrics without its end',
      answer: send({ 'content-type': OPEN_METRICS }, 'x 1\n'),
      reason: /^page ends too early/,
    },
    {
      why: 'a connection that ends before the length that was told',
      answer: (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('x 1\n', () => response.destroy());
      },
      reason: /^answer ends too early$/,
    },
    {
      why: 'a chunked answer without its last chunk',
      answer: (_, response) => response.write('x 1\n', () => response.destroy()),
      reason: /^answer ends too early$/,
    },
    {
      why: 'a length that cuts the page',
      answer: (_, response) => {
        response.strictContentLength = false;
        response.writeHead(200, { 'content-length': '6', connection: 'close' }).end('x 1\nx 2\n');
      },
      reason: /^broken HTTP answer/,
    },
    {
      why: 'a gzip body that was cut',
      answer: send({ 'content-encoding': 'gzip' }, cut),
      reason: /^answer ends too early$/,
    },
    {
      why: 'a gzip body that is none',
      answer: send({ 'content-encoding': 'gzip' }, 'x 1\n'),
      reason: /^broken gzip/,
    },
    {
      why: 'a packing that nobody asked for',
      answer: send({ 'content-encoding': 'br' }, 'x 1\n'),
      reason: /^packed as br/,
    },
  ])('$why', async ({ answer, reason }) => {
    const look = await lookAt(answer);
    expect(look.kind === 'failed' && look.reason).toMatch(reason);
  });
});

it('shows its place without credentials', () => {
  source = scrapeSource('http://me:hush@b1:7071/metrics?access_token=hush2&x=1');
  expect(source.place).toBe('http://b1:7071/metrics?access_token=***&x=1');
});
