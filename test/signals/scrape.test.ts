import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { scrapePage } from '../../src/signals/scrape.ts';
import { type MetricsServer, sendText, startMetricsServer } from './metrics-server.ts';

let server: MetricsServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function scrapeOf(answer: MetricsServer['answer'], timeoutMs = 1_000) {
  server = await startMetricsServer(answer);
  return scrapePage(server.url, { timeoutMs });
}

describe('scrapePage says shortly why there is no page', () => {
  for (const { why, answer, reason, timeoutMs } of [
    {
      why: 'HTTP status',
      answer: (_, response) => response.writeHead(503).end('x 1\n'),
      reason: 'HTTP 503',
    },
    {
      why: 'credentials',
      answer: (_, response) => response.writeHead(401).end(),
      reason: 'HTTP 401: needs credentials',
    },
    {
      why: 'redirects are not followed',
      answer: (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      reason: 'redirect to http://10.0.0.1/ not followed',
    },
    {
      why: 'a web page',
      answer: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html/>'),
      reason: 'not a metrics page (content type text/html)',
    },
    { why: 'start delay', answer: (_, response) => sendText(response, ''), reason: /^empty page/ },
    { why: 'no answer', answer: () => {}, reason: 'no whole answer within 150 ms', timeoutMs: 150 },
    {
      why: 'a byte now and then never ends',
      answer: (_, response) => {
        const drip = setInterval(() => response.write('x 1\n'), 20);
        response.on('close', () => clearInterval(drip));
      },
      reason: 'no whole answer within 150 ms',
      timeoutMs: 150,
    },
    {
      why: 'connection cut',
      answer: (request) => request.socket.destroy(),
      reason: 'connection reset',
    },
    {
      why: 'a small answer that unpacks to too much',
      answer: (_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(51_000_000, 32))),
      reason: /exceeded/,
      timeoutMs: 5_000,
    },
  ] satisfies {
    why: string;
    answer: MetricsServer['answer'];
    reason: string | RegExp;
    timeoutMs?: number;
  }[]) {
    it(why, async () => {
      const scraped = await scrapeOf(answer, timeoutMs);
      expect(scraped.kind === 'failed' && scraped.reason).toMatch(reason);
    });
  }

  it('nobody listens', async () => {
    server = await startMetricsServer(() => {});
    const { url } = server;
    await server.close();
    expect(await scrapePage(url, { timeoutMs: 500 })).toEqual({
      kind: 'failed',
      reason: 'connection refused',
    });
  });
});

it('asks for the plain format, unpacks gzip, and times the scrape on the given clock', async () => {
  let asked: Record<string, unknown> = {};
  server = await startMetricsServer((request, response) => {
    asked = request.headers;
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' });
    response.end(gzipSync('x 1\n'));
  });
  const times = [1_000, 1_040];
  const page = await scrapePage(server.url, {
    timeoutMs: 1_000,
    headers: { Authorization: 'Basic abc' },
    nowMs: () => times.shift() ?? Number.NaN,
  });
  expect(page).toMatchObject({ kind: 'page', text: 'x 1\n', atMs: 1_020, scrapeMs: 40 });
  expect(page.kind === 'page' && Math.abs((page.serverDateMs ?? 0) - Date.now())).toBeLessThan(2_000);
  expect(asked).toMatchObject({
    accept: 'text/plain;version=0.0.4',
    'accept-encoding': 'gzip',
    authorization: 'Basic abc',
    connection: 'keep-alive',
  });
});
