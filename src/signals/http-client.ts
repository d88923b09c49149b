import { ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios, {
  type AxiosProxyConfig,
  type AxiosRequestConfig,
  type AxiosResponse,
  isAxiosError,
} from 'axios';
import { reasonOf } from './http-failure.ts';
import type { FailedLook } from './signal-source.ts';
import type { SourceOptions } from './source-options.ts';
import { unpackBody } from './unpack-body.ts';

export interface HttpRequest {
  readonly url: string;
  readonly accept: string;
  /** Makes it a POST of this content type. */
  readonly body?: { readonly type: string; readonly text: string };
  /** Deadline of the whole answer, connect to last byte, redirects included, ms. */
  readonly deadlineMs: number;
  readonly nowMs: () => number;
}

export interface HttpAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** In lower case; empty when the header is missing. */
  readonly contentType: string;
  readonly text: string;
  /** Of the body, over the wire. */
  readonly bytes: number;
  /** Of the request that was answered, on the clock of the request. */
  readonly startMs: number;
  readonly endMs: number;
  /** Date header, ms since the epoch (a whole second); null when there is none. */
  readonly serverDateMs: number | null;
}

/** The largest answer that is taken, packed or not. */
export const LARGEST_BODY_BYTES = 50_000_000;
const MOST_REDIRECTS = 3;

/**
 * Asks one host over connections of its own, which `close` ends together with what is still asked. Credentials, trust
 * and proxy come from the options alone; those in a URL go first.
 */
export class HttpClient {
  private readonly options: SourceOptions;
  private readonly httpAgent: HttpAgent;
  private readonly httpsAgent: HttpsAgent;
  private readonly proxy: AxiosProxyConfig | false;
  private readonly asking = new Set<AbortController>();
  private isClosed = false;

  constructor(options: SourceOptions) {
    this.options = options;
    this.httpAgent = new HttpAgent({ keepAlive: true });
    this.httpsAgent = new HttpsAgent({
      keepAlive: true,
      ...(options.caPem === null ? {} : { ca: options.caPem }),
      ...(options.certPem === null || options.keyPem === null
        ? {}
        : { cert: options.certPem, key: options.keyPem }),
    });
    this.proxy = options.proxy === null ? false : proxyOf(options.proxy);
  }

  /** Never throws. @returns the whole answer whatever its status, or a short reason why there is none. */
  async send(request: HttpRequest): Promise<HttpAnswer | FailedLook> {
    if (this.isClosed) return { kind: 'failed', reason: 'source closed' };
    // A signal, because the client's own timeout starts anew with each byte and a trickling page would never end.
    const abort = new AbortController();
    const deadline = setTimeout(() => abort.abort(), request.deadlineMs);
    this.asking.add(abort);
    try {
      return await this.follow(request, abort.signal);
    } catch (error) {
      if (this.isClosed) return { kind: 'failed', reason: 'source closed' };
      if (abort.signal.aborted) {
        return { kind: 'failed', reason: `no whole answer within ${Math.round(request.deadlineMs)} ms` };
      }
      return { kind: 'failed', reason: reasonOf(error) };
    } finally {
      clearTimeout(deadline);
      this.asking.delete(abort);
    }
  }

  close(): void {
    this.isClosed = true;
    for (const abort of this.asking) abort.abort();
    this.httpAgent.destroy();
    this.httpsAgent.destroy();
  }

  private async follow(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer | FailedLook> {
    let url = new URL(request.url);
    for (let redirects = 0; ; redirects++) {
      let startMs = request.nowMs();
      const config = this.configOf(request, url, signal);
      // Servers close a kept connection after a while; the reset that shows it says nothing about the broker.
      const response = await axios.request<Buffer>(config).catch((error: unknown) => {
        if (!isClosedWhileIdle(error)) throw error;
        startMs = request.nowMs();
        return axios.request<Buffer>(config);
      });
      const endMs = request.nowMs();
      if (response.status < 300 || response.status >= 400) {
        return await answerOf(response, startMs, endMs);
      }
      const next = redirectOf(url, response);
      if (next === null || redirects === MOST_REDIRECTS || request.body !== undefined) {
        const where = String(response.headers.location ?? '?');
        return { kind: 'failed', reason: `redirect to ${where} not followed` };
      }
      url = next;
    }
  }

  private configOf(request: HttpRequest, url: URL, signal: AbortSignal): AxiosRequestConfig {
    const { credentials, headers } = this.options;
    const inUrl = credentialsIn(url);
    const basic = inUrl ?? (credentials?.kind === 'basic' ? credentials : null);
    return {
      url: withoutCredentials(url),
      method: request.body === undefined ? 'GET' : 'POST',
      ...(request.body === undefined ? {} : { data: request.body.text }),
      headers: {
        ...headers,
        ...(inUrl === null && credentials?.kind === 'bearer'
          ? { Authorization: `Bearer ${credentials.token}` }
          : {}),
        ...(request.body === undefined ? {} : { 'Content-Type': request.body.type }),
        Accept: request.accept,
        'Accept-Encoding': 'gzip',
      },
      ...(basic === null ? {} : { auth: { username: basic.user, password: basic.password } }),
      signal,
      httpAgent: this.httpAgent,
      httpsAgent: this.httpsAgent,
      proxy: this.proxy,
      maxRedirects: 0,
      maxContentLength: LARGEST_BODY_BYTES,
      responseType: 'arraybuffer',
      // Unpacked here, where the bytes over the wire can still be counted and a cut body is noticed.
      decompress: false,
      transformResponse: (body: unknown) => body,
      validateStatus: () => true,
    };
  }
}

/** The URL as it may be shown and asked: user and password taken out. */
export function withoutCredentials(url: URL): string {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain.href;
}

async function answerOf(
  response: AxiosResponse<Buffer>,
  startMs: number,
  endMs: number,
): Promise<HttpAnswer | FailedLook> {
  const body = await unpackBody(
    response.data,
    String(response.headers['content-encoding'] ?? ''),
    LARGEST_BODY_BYTES,
  );
  if (body.kind === 'failed') return body;
  const dateMs = Date.parse(String(response.headers.date ?? ''));
  return {
    kind: 'answer',
    status: response.status,
    contentType: String(response.headers['content-type'] ?? '').toLowerCase(),
    text: body.text,
    bytes: response.data.byteLength,
    startMs,
    endMs,
    serverDateMs: Number.isNaN(dateMs) ? null : dateMs,
  };
}

/** Another path of the same server, or its https; credentials must not go anywhere else. */
function redirectOf(from: URL, response: AxiosResponse): URL | null {
  const location: unknown = response.headers.location;
  if (typeof location !== 'string' || !URL.canParse(location, from.href)) return null;
  const to = new URL(location, from);
  const isSecured = from.protocol === 'http:' && to.protocol === 'https:' && to.hostname === from.hostname;
  if (to.origin !== from.origin && !isSecured) return null;
  to.username = from.username;
  to.password = from.password;
  return to;
}

function credentialsIn(url: URL): { readonly user: string; readonly password: string } | null {
  if (url.username === '' && url.password === '') return null;
  return { user: decoded(url.username), password: decoded(url.password) };
}

/** A stray % is part of the password. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function proxyOf(proxy: string): AxiosProxyConfig {
  const url = new URL(proxy);
  const credentials = credentialsIn(url);
  return {
    protocol: url.protocol,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    ...(credentials === null ? {} : { auth: { username: credentials.user, password: credentials.password } }),
  };
}

function isClosedWhileIdle(error: unknown): boolean {
  if (!isAxiosError(error) || (error.code !== 'ECONNRESET' && error.code !== 'EPIPE')) return false;
  const request: unknown = error.request;
  return request instanceof ClientRequest && request.reusedSocket && error.response === undefined;
}
