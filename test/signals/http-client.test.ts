import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpAnswer, HttpClient, type HttpRequest } from '../../src/signals/http-client.ts';
import type { FailedLook } from '../../src/signals/signal-source.ts';
import { PLAIN_SOURCE, type SourceOptions } from '../../src/signals/source-options.ts';
import { type MetricsServer, sendText, startMetricsServer } from './metrics-server.ts';

const servers: MetricsServer[] = [];
const clients: HttpClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(answer: MetricsServer['answer']): Promise<MetricsServer> {
  const server = await startMetricsServer(answer);
  servers.push(server);
  return server;
}

function clientOf(options: Partial<SourceOptions> = {}): HttpClient {
  const client = new HttpClient({ ...PLAIN_SOURCE, ...options });
  clients.push(client);
  return client;
}

const ask = (client: HttpClient, url: string, request: Partial<HttpRequest> = {}) =>
  client.send({ url, accept: 'text/plain', deadlineMs: 2_000, nowMs: () => performance.now(), ...request });

const outcomeOf = (answer: HttpAnswer | FailedLook) =>
  answer.kind === 'failed' ? answer.reason : `${answer.status} ${answer.text}`;

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('credentials', () => {
  const USER = { kind: 'basic', user: 'me', password: 'pässword' } as const;
  it.each<{ why: string; options: Partial<SourceOptions>; user: string; sent: string | undefined }>([
    { why: 'none', options: {}, user: '', sent: undefined },
    { why: 'basic', options: { credentials: USER }, user: '', sent: basic('me:pässword') },
    {
      why: 'bearer',
      options: { credentials: { kind: 'bearer', token: 'abc' } },
      user: '',
      sent: 'Bearer abc',
    },
    { why: 'those of the URL', options: {}, user: 'you:p%40ss@', sent: basic('you:p@ss') },
    { why: 'a stray % in the URL', options: {}, user: 'you:5%@', sent: basic('you:5%') },
    { why: 'URL before setting', options: { credentials: USER }, user: 'you:pw@', sent: basic('you:pw') },
    {
      why: 'URL before bearer',
      options: { credentials: { kind: 'bearer', token: 'abc' } },
      user: 'you:pw@',
      sent: basic('you:pw'),
    },
    {
      why: 'a header of the user',
      options: { headers: { Authorization: 'Negotiate xyz' } },
      user: '',
      sent: 'Negotiate xyz',
    },
  ])('sends $why', async ({ options, user, sent }) => {
    let authorization: string | undefined;
    const { url } = await serve((request, response) => {
      authorization = request.headers.authorization;
      sendText(response, 'ok');
    });
    expect(outcomeOf(await ask(clientOf(options), url.replace('://', `://${user}`)))).toBe('200 ok');
    expect(authorization).toBe(sent);
  });

  it('sends further headers', async () => {
    const { url } = await serve((request, response) =>
      sendText(response, String(request.headers['x-scope-orgid'])),
    );
    expect(outcomeOf(await ask(clientOf({ headers: { 'X-Scope-OrgID': 'team1' } }), url))).toBe('200 team1');
  });
});

describe('redirects', () => {
  const to = (location: string): MetricsServer['answer'] => {
    return (_, response) => response.writeHead(302, { location }).end();
  };

  it('are followed to another path of the same server, with the credentials', async () => {
    const { url } = await serve((request, response) => {
      if (request.url === '/metrics') to('/metrics/')(request, response);
      else sendText(response, request.headers.authorization ?? 'nobody');
    });
    const answer = await ask(clientOf(), url.replace('://', '://me:pw@'));
    expect(outcomeOf(answer)).toBe(`200 ${basic('me:pw')}`);
  });

  it('end after the third', async () => {
    let asked = 0;
    const { url } = await serve((request, response) => {
      asked++;
      to(`/metrics${asked}`)(request, response);
    });
    expect(outcomeOf(await ask(clientOf(), url))).toBe('redirect to /metrics4 not followed');
    expect(asked).toBe(4);
  });

  it.each([
    { why: 'to another port', location: (port: string) => `http://127.0.0.1:${port}/metrics` },
    { why: 'to another host', location: () => 'http://10.0.0.1/' },
    { why: 'to another scheme', location: () => 'file:///etc/passwd' },
    { why: 'to nowhere', location: () => 'http://' },
  ])('are refused $why', async ({ location }) => {
    let isAsked = false;
    const other = await serve((_, response) => {
      isAsked = true;
      sendText(response, 'stolen');
    });
    const target = location(new URL(other.url).port);
    const { url } = await serve(to(target));
    expect(outcomeOf(await ask(clientOf(), url))).toBe(`redirect to ${target} not followed`);
    expect(isAsked).toBe(false);
  });

  it('are refused for a POST, whose body may not be wanted there', async () => {
    const { url } = await serve(to('/other'));
    const body = { type: 'text/plain', text: 'x' };
    expect(outcomeOf(await ask(clientOf(), url, { body }))).toBe('redirect to /other not followed');
  });
});

describe('an answer that does not come', () => {
  it.each<{ why: string; answer: MetricsServer['answer']; reason: string }>([
    { why: 'silence', answer: () => {}, reason: 'no whole answer within 150 ms' },
    {
      why: 'a byte now and then',
      answer: (_, response) => {
        const drip = setInterval(() => response.write('x 1\n'), 20);
        response.on('close', () => clearInterval(drip));
      },
      reason: 'no whole answer within 150 ms',
    },
    { why: 'a cut connection', answer: (request) => request.socket.destroy(), reason: 'connection reset' },
    {
      why: 'no HTTP',
      answer: (request) => request.socket.end('hello\r\n\r\n'),
      reason: 'no HTTP answer; is it https?',
    },
  ])('fails with a reason: $why', async ({ answer, reason }) => {
    const { url } = await serve(answer);
    expect(outcomeOf(await ask(clientOf(), url, { deadlineMs: 150 }))).toBe(reason);
  });

  it('fails with a reason: nobody listens', async () => {
    const server = await startMetricsServer(() => {});
    await server.close();
    expect(outcomeOf(await ask(clientOf(), server.url))).toBe('connection refused');
  });

  it.each([
    {
      why: 'packed small',
      headers: { 'content-encoding': 'gzip' },
      body: () => gzipSync(Buffer.alloc(51_000_000, 32)),
    },
    { why: 'as told', headers: {}, body: () => Buffer.alloc(51_000_000, 32) },
    {
      why: 'not told',
      headers: { 'transfer-encoding': 'chunked' },
      body: () => Buffer.alloc(51_000_000, 32),
    },
  ])('fails with a reason: too much, $why', async ({ headers, body }) => {
    const { url } = await serve((_, response) => response.writeHead(200, headers).end(body()));
    const answer = await ask(clientOf(), url, { deadlineMs: 20_000 });
    expect(outcomeOf(answer)).toBe('answer larger than 50 MB');
  });
});

describe('connections', () => {
  it('are kept from one request to the next, and asked again when the server closed one', async () => {
    const ports: (number | undefined)[] = [];
    const { url } = await serve((request, response) => {
      ports.push(request.socket.remotePort);
      // The third request finds a connection that only looked open.
      if (ports.length === 3) request.socket.resetAndDestroy();
      else sendText(response, 'ok');
    });
    const client = clientOf();
    for (let round = 0; round < 3; round++) expect(outcomeOf(await ask(client, url))).toBe('200 ok');
    expect(ports[1]).toBe(ports[0]);
    expect(ports).toHaveLength(4);
    expect(ports[3]).not.toBe(ports[0]);
  });

  it('end with close, and so does what is still asked', async () => {
    const sockets = new Set<Socket>();
    const { url } = await serve((request, response) => {
      sockets.add(request.socket);
      if (request.url === '/metrics') sendText(response, 'ok');
    });
    const client = clientOf();
    await ask(client, url);
    const asked = ask(client, `${url}/never`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.close();
    expect(outcomeOf(await asked)).toBe('source closed');
    expect(outcomeOf(await ask(client, url))).toBe('source closed');
    expect(sockets.size).toBe(1);
    await expect.poll(() => [...sockets].every((socket) => socket.destroyed)).toBe(true);
  });
});
