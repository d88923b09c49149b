import { z } from 'zod';
import { maskText } from '../config/masked-text.ts';
import { type HttpAnswer, HttpClient, withoutCredentials } from './http-client.ts';
import { credentialsReason, shortened } from './http-failure.ts';
import type { FailedLook } from './signal-source.ts';
import type { SourceOptions } from './source-options.ts';

export interface ApiRequest {
  readonly deadlineMs: number;
  readonly nowMs: () => number;
}

/** One series with the samples that the server stored: stamps on its clock, ms. */
export interface StoredSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly { readonly stampMs: number; readonly value: number }[];
}

export interface ApiAnswer<T> {
  readonly kind: 'answer';
  readonly data: T;
  readonly bytes: number;
  readonly startMs: number;
  readonly endMs: number;
}

const point = z.tuple([z.number(), z.string()]);
const labels = z.record(z.string(), z.string());
const timeResult = z.discriminatedUnion('resultType', [
  z.object({ resultType: z.literal('scalar'), result: point }),
  z.object({ resultType: z.literal('vector'), result: z.tuple([z.object({ value: point })]) }),
]);
const vectorResult = z.object({ result: z.array(z.object({ metric: labels, value: point })) });
const matrixResult = z.object({ result: z.array(z.object({ metric: labels, values: z.array(point) })) });
const failure = z.object({ error: z.string() });

/** The HTTP API of Prometheus, and of what answers as it does: Thanos, Mimir, VictoriaMetrics. */
export class PrometheusApi {
  /** Without credentials and query. */
  readonly place: string;
  private readonly base: URL;
  private readonly client: HttpClient;

  /** @param url of the server, a path before `/api/v1` included; its query is not used. */
  constructor(url: string, options: SourceOptions) {
    this.base = new URL(url);
    this.base.search = '';
    this.base.hash = '';
    this.base.pathname = this.base.pathname.replace(/(\/api\/v1(\/query)?)?\/*$/, '');
    this.place = maskText(withoutCredentials(this.base).replace(/\/$/, ''));
    this.client = new HttpClient(options);
  }

  close(): void {
    this.client.close();
  }

  /** The server's clock at the evaluation, ms since the epoch. */
  async time(request: ApiRequest): Promise<ApiAnswer<number> | FailedLook> {
    const answer = await this.query('time()', timeResult, request);
    if (answer.kind === 'failed') return answer;
    if (answer.data.resultType === 'scalar') {
      return { ...answer, data: Number(answer.data.result[1]) * 1_000 };
    }
    // VictoriaMetrics answers with a vector, and with whole seconds; only its own now() is exact.
    const exact = await this.query('now()', timeResult, request);
    if (exact.kind === 'failed') return exact;
    const { resultType, result } = exact.data;
    return { ...exact, data: Number(resultType === 'vector' ? result[0].value[1] : result[1]) * 1_000 };
  }

  /** Label sets of an instant vector. */
  async labelSets(
    promql: string,
    request: ApiRequest,
  ): Promise<ApiAnswer<readonly Readonly<Record<string, string>>[]> | FailedLook> {
    const answer = await this.query(promql, vectorResult, request);
    return answer.kind === 'failed'
      ? answer
      : { ...answer, data: answer.data.result.map(({ metric }) => metric) };
  }

  /** Samples as they were stored, by a selector with a range: nothing is computed, nothing aligned. */
  async storedSeries(
    promql: string,
    request: ApiRequest,
  ): Promise<ApiAnswer<readonly StoredSeries[]> | FailedLook> {
    const answer = await this.query(promql, matrixResult, request);
    if (answer.kind === 'failed') return answer;
    const data = answer.data.result.map(({ metric, values }) => ({
      labels: metric,
      samples: values.map(([seconds, value]) => ({
        stampMs: Math.round(seconds * 1_000),
        value: numberOf(value),
      })),
    }));
    return { ...answer, data };
  }

  /** Reads any other part of the API. */
  async get<T>(path: string, schema: z.ZodType<T>, request: ApiRequest): Promise<ApiAnswer<T> | FailedLook> {
    const answer = await this.client.send({ url: this.urlOf(path), accept: 'application/json', ...request });
    return readAnswer(answer, schema);
  }

  private async query<T>(
    promql: string,
    schema: z.ZodType<T>,
    request: ApiRequest,
  ): Promise<ApiAnswer<T> | FailedLook> {
    // nocache: VictoriaMetrics would otherwise answer as of half a minute ago.
    const text = new URLSearchParams({ query: promql, nocache: '1' }).toString();
    const answer = await this.client.send({
      url: this.urlOf('/api/v1/query'),
      accept: 'application/json',
      body: { type: 'application/x-www-form-urlencoded', text },
      ...request,
    });
    return readAnswer(answer, schema);
  }

  private urlOf(path: string): string {
    return `${this.base.href.replace(/\/$/, '')}${path}`;
  }
}

function readAnswer<T>(answer: HttpAnswer | FailedLook, schema: z.ZodType<T>): ApiAnswer<T> | FailedLook {
  if (answer.kind === 'failed') return answer;
  const { status, bytes, startMs, endMs } = answer;
  const turnedAway = credentialsReason(status);
  if (turnedAway !== null) return failed(turnedAway);
  let json: unknown;
  try {
    json = JSON.parse(answer.text);
  } catch {
    return failed(
      status === 200 ? 'answers no JSON; is it the API of a Prometheus server?' : `HTTP ${status}`,
    );
  }
  const refusal = failure.safeParse(json);
  if (status !== 200 || refusal.success) {
    const why = refusal.success ? `: ${shortened(refusal.data.error)}` : '';
    return failed(`HTTP ${status}${why}`);
  }
  const read = z.object({ data: schema }).safeParse(json);
  if (!read.success) return failed('answers something else than the API of a Prometheus server');
  return { kind: 'answer', data: read.data.data, bytes, startMs, endMs };
}

function failed(reason: string): FailedLook {
  return { kind: 'failed', reason };
}

function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
