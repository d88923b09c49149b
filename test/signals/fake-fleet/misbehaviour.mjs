// The ways in which an exporter fails. Each answers one request.
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const HEADERS = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };
const TRICKLE_MS = 200;

export function sendPage(request, response, text) {
  const isGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  const body = isGzip ? gzipSync(text, { level: 1 }) : Buffer.from(text);
  response.writeHead(200, {
    ...HEADERS,
    ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
    'content-length': body.length,
  });
  response.end(body);
}

function sendHalf(response, text) {
  response.writeHead(200, { ...HEADERS, 'content-length': text.length });
  return new Promise((resolve) => response.write(text.slice(0, text.length / 2), resolve));
}

/**
 * By kind: what is done with a request. `page()` writes the page of this moment, `frozen` is that of the beginning of the
 * episode, `filler` ten megabytes of series.
 */
export const MISBEHAVIOURS = {
  /** Takes the request and never answers. */
  hang: () => {},
  /** Ends its half of the connection instead of answering. */
  'half-closed': ({ request }) => request.socket.end(),
  'half-closed in the body': async ({ request, response, page }) => {
    await sendHalf(response, page());
    request.socket.end();
  },
  'reset in the body': async ({ request, response, page }) => {
    await sendHalf(response, page());
    // What was written is read first, so that it is the body that breaks.
    await sleep(20);
    request.socket.resetAndDestroy();
  },
  /** One byte at a time. */
  'slow loris': async ({ request, response, page }) => {
    const text = page();
    response.writeHead(200, { ...HEADERS, 'content-length': text.length });
    for (let at = 0; at < text.length && !request.socket.destroyed; at++) {
      response.write(text[at]);
      await sleep(TRICKLE_MS);
    }
  },
  'status 500': ({ response }) => response.writeHead(500, HEADERS).end('Internal error\n'),
  /** The last good page again, as an exporter does that ran into its own time limit. */
  frozen: ({ request, response, frozen }) => sendPage(request, response, frozen),
  /** Cut within a line by something that then counts what it cut. */
  truncated: ({ request, response, page }) => {
    const text = page();
    sendPage(request, response, text.slice(0, text.indexOf('_total{topic=', text.length * 0.7)));
  },
  /** A good page, but late. */
  slow: async ({ request, response, page, patienceMs }) => {
    await sleep(patienceMs * 0.6);
    sendPage(request, response, page());
  },
  /** A good page of ten megabytes. */
  huge: ({ response, page, filler }) => {
    response.writeHead(200, HEADERS);
    response.write(filler);
    response.end(page());
  },
};
