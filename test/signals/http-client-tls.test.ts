import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HttpClient } from '../../src/signals/http-client.ts';
import { PLAIN_SOURCE, type SourceOptions } from '../../src/signals/source-options.ts';
import { makeCertificates, readPair, type TestCertificates } from './test-certificates.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-tls-'));
let certificates: TestCertificates;
let ca: string;
beforeAll(() => {
  certificates = makeCertificates(folder);
  ca = readFileSync(certificates.caFile, 'utf8');
});
afterAll(() => rmSync(folder, { recursive: true }));

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(server: Server): Promise<number> {
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function serveTls(options: ServerOptions): Promise<number> {
  return listen(
    createHttpsServer(options, (request, response) => response.end(request.headers.authorization ?? 'ok')),
  );
}

async function ask(url: string, options: Partial<SourceOptions> = {}): Promise<string> {
  const client = new HttpClient({ ...PLAIN_SOURCE, ...options });
  closing.push(() => client.close());
  const answer = await client.send({ url, accept: '*/*', deadlineMs: 3_000, nowMs: () => performance.now() });
  return answer.kind === 'failed' ? answer.reason : `${answer.status} ${answer.text}`;
}

describe('a certificate', () => {
  it('of a private authority is trusted when that is named', async () => {
    const port = await serveTls(readPair(certificates.server));
    expect(await ask(`https://127.0.0.1:${port}/`, { caPem: ca })).toBe('200 ok');
    expect(await ask(`https://localhost:${port}/`, { caPem: ca })).toBe('200 ok');
  });

  it('of a private authority is not trusted otherwise', async () => {
    const port = await serveTls(readPair(certificates.server));
    expect(await ask(`https://127.0.0.1:${port}/`)).toBe(
      'certificate not trusted; name its authority in signals.caFile',
    );
  });

  it.each([
    { why: 'another host', pair: 'stranger', reason: 'certificate is for another host name' },
    { why: 'the past', pair: 'expired', reason: 'certificate has expired' },
  ] as const)('for $why is refused', async ({ pair, reason }) => {
    const port = await serveTls(readPair(certificates[pair]));
    expect(await ask(`https://127.0.0.1:${port}/`, { caPem: ca })).toBe(reason);
  });

  it('of the client is shown when it has one, and missed when it has none', async () => {
    const port = await serveTls({ ...readPair(certificates.server), ca, requestCert: true });
    const { cert, key } = readPair(certificates.client);
    const url = `https://127.0.0.1:${port}/`;
    expect(await ask(url, { caPem: ca, certPem: cert, keyPem: key })).toBe('200 ok');
    expect(await ask(url, { caPem: ca })).toBe(
      'wants a client certificate (signals.certFile, signals.keyFile)',
    );
  });
});

describe('the wrong scheme is told', () => {
  it('https to a server of http', async () => {
    const port = await listen(createHttpServer((_, response) => response.end('ok')));
    expect(await ask(`https://127.0.0.1:${port}/`)).toBe('does not speak TLS; is it http?');
  });

  it('http to a server of https', async () => {
    const port = await serveTls(readPair(certificates.server));
    expect(await ask(`http://127.0.0.1:${port}/`)).toMatch(/connection reset|no HTTP answer/);
  });
});

it('http that leads to https of the same name is followed', async () => {
  const securePort = await serveTls(readPair(certificates.server));
  const port = await listen(
    createHttpServer((_, response) =>
      response.writeHead(301, { location: `https://127.0.0.1:${securePort}/` }).end(),
    ),
  );
  const answer = await ask(`http://me:pw@127.0.0.1:${port}/`, { caPem: ca });
  expect(answer).toBe(`200 Basic ${Buffer.from('me:pw').toString('base64')}`);
});

describe('a proxy', () => {
  /** Forwards plain requests and tunnels, and notes who asked for what. */
  async function serveProxy(): Promise<{ readonly port: number; readonly asked: string[] }> {
    const asked: string[] = [];
    const proxy = createHttpServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`);
      response.end('by proxy');
    });
    proxy.on('connect', (request, socket, head) => {
      asked.push(`CONNECT ${request.headers['proxy-authorization'] ?? ''}`);
      const [host = '', port = ''] = (request.url ?? '').split(':');
      const through = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        through.write(head);
        through.pipe(socket).pipe(through);
      });
      through.on('error', () => socket.destroy());
      socket.on('error', () => through.destroy());
    });
    return { port: await listen(proxy), asked };
  }
  const basic = `Basic ${Buffer.from('me:p@w').toString('base64')}`;

  it('is asked for a plain page', async () => {
    const { port, asked } = await serveProxy();
    const options = { proxy: `http://me:p%40w@127.0.0.1:${port}` };
    expect(await ask('http://b1.example:7071/metrics', options)).toBe('200 by proxy');
    expect(asked).toEqual([`GET http://b1.example:7071/metrics ${basic}`]);
  });

  it('only passes on what is https, to whom the certificate must belong', async () => {
    const { port, asked } = await serveProxy();
    const securePort = await serveTls(readPair(certificates.server));
    const options = { caPem: ca, proxy: `http://me:p%40w@127.0.0.1:${port}` };
    expect(await ask(`https://127.0.0.1:${securePort}/`, options)).toBe('200 ok');
    expect(await ask(`https://127.0.0.1:${securePort}/`, { proxy: options.proxy })).toMatch(
      /^certificate not trusted/,
    );
    expect(asked).toEqual([`CONNECT ${basic}`, `CONNECT ${basic}`]);
  });

  it('of the environment is left alone', async () => {
    const { port, asked } = await serveProxy();
    const before = process.env.HTTP_PROXY;
    process.env.HTTP_PROXY = `http://127.0.0.1:${port}`;
    try {
      const direct = await listen(createHttpServer((_, response) => response.end('direct')));
      expect(await ask(`http://127.0.0.1:${direct}/`)).toBe('200 direct');
      expect(asked).toEqual([]);
    } finally {
      if (before === undefined) delete process.env.HTTP_PROXY;
      else process.env.HTTP_PROXY = before;
    }
  });
});
