import { type MetricsServer, startMetricsServer } from './metrics-server.ts';

/** What a pretended Prometheus server stores: series with samples at times of its own clock. */
export interface StoredText {
  readonly labels: Readonly<Record<string, string>>;
  /** Stamp in seconds, value as written. */
  readonly points: readonly (readonly [number, string])[];
}

export interface PretendedPrometheus {
  /** Replaces the whole answer to one part of the API, as in `/api/v1/metadata`. */
  readonly answers: Map<string, { readonly status: number; readonly body: unknown }>;
  readonly server: MetricsServer;
  /** URL to give, without a path. */
  readonly url: string;
  /** Queries that came, in order. */
  readonly queries: string[];
  stored: readonly StoredText[];
  /** The server's clock, s. */
  nowSeconds: () => number;
  /** Answers `time()` as VictoriaMetrics does: a vector, whole seconds. */
  isVictoria: boolean;
}

/**
 * Pretends the API of a Prometheus server: it understands the name matcher, equalities and the range of a selector, the
 * `count by` of a discovery and `time()`. For what a real one cannot be made to do; the contract suite runs a real one.
 */
export async function pretendPrometheus(): Promise<PretendedPrometheus> {
  const server = await startMetricsServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname;
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', () => {
      const query = new URLSearchParams(text).get('query') ?? '';
      if (path === '/api/v1/query') state.queries.push(query);
      const given = state.answers.get(path);
      const body = given === undefined ? answerOf(query, state) : given.body;
      response.writeHead(given?.status ?? (body === null ? 404 : 200), {
        'content-type': 'application/json',
      });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  const state: PretendedPrometheus = {
    answers: new Map(),
    server,
    url: server.url.replace('/metrics', ''),
    queries: [],
    stored: [],
    nowSeconds: () => Date.now() / 1_000,
    isVictoria: false,
  };
  return state;
}

function answerOf(query: string, { stored, nowSeconds, isVictoria }: PretendedPrometheus): unknown {
  const now = nowSeconds();
  const vector = (seconds: number) =>
    success('vector', [{ metric: {}, value: [Math.floor(now), String(seconds)] }]);
  if (query === 'now()') return isVictoria ? vector(now) : null;
  if (query === 'time()' && isVictoria) return vector(Math.floor(now));
  if (query === 'time()') return success('scalar', [now, String(now)]);
  const [, selector = '', range] = /\{(.*)\}\)?(?:\[(\d+)ms\])?$/s.exec(query) ?? [];
  const isMatch = matcherOf(selector);
  const matching = stored.filter(({ labels }) => isMatch(labels));
  if (query.startsWith('count by')) {
    const groups = new Map(
      matching.map(({ labels: { instance = '', job = '' } }) => [`${instance} ${job}`, { instance, job }]),
    );
    return success(
      'vector',
      [...groups.values()].map((metric) => ({ metric, value: [now, '1'] })),
    );
  }
  if (range === undefined) return null;
  const result = matching.flatMap(({ labels, points }) => {
    const values = points.filter(([stamp]) => stamp > now - Number(range) / 1_000 && stamp <= now);
    return values.length === 0 ? [] : [{ metric: labels, values }];
  });
  return success('matrix', result);
}

function success(resultType: string, result: unknown): unknown {
  return { status: 'success', data: { resultType, result } };
}

function matcherOf(selector: string): (labels: Readonly<Record<string, string>>) => boolean {
  const matchers = [...selector.matchAll(/(\w+)(=~|=)"((?:[^"\\]|\\.)*)"/g)].map(
    ([, label = '', operator = '', value = '']) => ({
      label,
      operator,
      value: value.replaceAll('\\\\', '\\'),
    }),
  );
  return (labels) =>
    matchers.every(({ label, operator, value }) => {
      const has = labels[label] ?? '';
      // What RE2 takes as (?i) is a flag here.
      return operator === '='
        ? has === value
        : new RegExp(
            `^(?:${value.replace(/\(\?i(:|\))/g, (_, end) => (end === ':' ? '(?:' : ''))})$`,
            'i',
          ).test(has);
    });
}
