import { ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios, { type AxiosResponse, isAxiosError, isCancel } from 'axios';
import { messageOf } from '../errors.ts';

export interface ScrapeOptions {
  /** Deadline of the whole scrape, connect to last byte, ms. */
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Clock of `atMs`, ms since the epoch; this machine's when not given. */
  readonly nowMs?: () => number;
}

export interface ScrapedPage {
  readonly kind: 'page';
  readonly text: string;
  /** Middle of the scrape. */
  readonly atMs: number;
  readonly scrapeMs: number;
  /** Date header of the answer, ms since the epoch (a whole second); null when there is none. */
  readonly serverDateMs: number | null;
}

export interface FailedScrape {
  readonly kind: 'failed';
  /** Short, without the URL. */
  readonly reason: string;
}

const LARGEST_PAGE_BYTES = 50_000_000;

const client = axios.create({
  httpAgent: new HttpAgent({ keepAlive: true }),
  httpsAgent: new HttpsAgent({ keepAlive: true }),
  proxy: false,
  maxRedirects: 0,
  maxContentLength: LARGEST_PAGE_BYTES,
  responseType: 'text',
  transformResponse: (body: unknown) => body,
  validateStatus: () => true,
  headers: { Accept: 'text/plain;version=0.0.4', 'Accept-Encoding': 'gzip' },
});

/**
 * Fetches a metrics page. Never throws: an exporter that does not answer is an expected outcome while a broker is
 * driven to its limit.
 * @returns the text and when and how long (ms), or a short reason.
 */
export async function scrapePage(url: string, options: ScrapeOptions): Promise<ScrapedPage | FailedScrape> {
  const nowMs = options.nowMs ?? machineNowMs;
  const startMs = nowMs();
  try {
    // A signal, because the client's own timeout starts anew with each byte and a trickling page would never end.
    const signal = AbortSignal.timeout(options.timeoutMs);
    const request = { signal, ...(options.headers === undefined ? {} : { headers: options.headers }) };
    // Exporters close a kept connection after a while; the reset that shows it says nothing about the broker.
    const response = await client
      .get<string>(url, request)
      .catch((error: unknown) =>
        isClosedWhileIdle(error) ? client.get<string>(url, request) : Promise.reject(error),
      );
    const endMs = nowMs();
    const reason = refusalOf(response);
    if (reason !== null) return { kind: 'failed', reason };
    const dateMs = Date.parse(String(response.headers.date ?? ''));
    return {
      kind: 'page',
      text: response.data,
      atMs: (startMs + endMs) / 2,
      scrapeMs: endMs - startMs,
      serverDateMs: Number.isNaN(dateMs) ? null : dateMs,
    };
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error, options.timeoutMs) };
  }
}

function machineNowMs(): number {
  return performance.timeOrigin + performance.now();
}

function isClosedWhileIdle(error: unknown): boolean {
  if (!isAxiosError(error) || error.code !== 'ECONNRESET') return false;
  const request: unknown = error.request;
  return request instanceof ClientRequest && request.reusedSocket;
}

function refusalOf(response: AxiosResponse<string>): string | null {
  const { status } = response;
  if (status >= 300 && status < 400)
    return `redirect to ${String(response.headers.location ?? '?')} not followed`;
  if (status === 401 || status === 403) return `HTTP ${status}: needs credentials`;
  if (status !== 200) return `HTTP ${status}`;
  const contentType = String(response.headers['content-type'] ?? '').toLowerCase();
  if (contentType.includes('html') || contentType.includes('json')) {
    return `not a metrics page (content type ${contentType})`;
  }
  if (response.data.trim() === '') return 'empty page (exporter still in its start delay?)';
  return null;
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (isCancel(error)) return `no whole answer within ${timeoutMs} ms`;
  const code = isAxiosError(error) ? error.code : undefined;
  switch (code) {
    case 'ECONNREFUSED':
      return 'connection refused';
    case 'ECONNRESET':
      return 'connection reset';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'unknown host';
    case 'ETIMEDOUT':
    case 'ECONNABORTED':
      return `no whole answer within ${timeoutMs} ms`;
    default:
      return messageOf(error) || (code ?? 'no answer');
  }
}
