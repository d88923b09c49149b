import { good, listOf, type Reader, shown, wrong } from './read-value.ts';

/** Metrics pages: by broker id, or a plain list that is matched to the brokers later. Absolute http(s) URLs. */
export type MetricsPages = Readonly<Record<string, string>> | readonly string[];

/**
 * Reads metrics pages: a map of broker id to URL, a list of URLs, or the text forms `1=http://..,2=http://..` and
 * `http://..,http://..`.
 */
export const readMetricsPages: Reader<MetricsPages> = (raw) => {
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return readMap(Object.entries(raw));
  const entries = listOf(raw).map(String);
  const named = entries.map((entry) => /^\s*([^=:/?]*)=(.*)$/.exec(entry));
  if (!named.some((match) => match !== null)) return readList(entries);
  const pairs = named.flatMap((match) => (match ? [[match[1] ?? '', match[2] ?? ''] as const] : []));
  if (pairs.length !== entries.length) return wrong('mixes URLs with and without a broker id; use one form');
  const twice = pairs.find(([id], index) => pairs.findIndex(([other]) => other === id) !== index);
  return twice ? wrong(`names broker ${twice[0]} twice; give one page per broker`) : readMap(pairs);
};

function readList(urls: readonly string[]): ReturnType<Reader<MetricsPages>> {
  const bad = urls.find((url) => !isPageUrl(url));
  if (bad !== undefined) return wrong(`needs http:// or https:// URLs; ${shown(bad)} is not one`);
  return good([...new Set(urls)]);
}

function readMap(pairs: readonly (readonly [string, unknown])[]): ReturnType<Reader<MetricsPages>> {
  const pages: Record<string, string> = {};
  for (const [id, url] of pairs) {
    if (!/^\d+$/.test(id.trim()))
      return wrong(`needs broker ids (numbers) as names; ${shown(id)} is not one`);
    if (typeof url !== 'string' || !isPageUrl(url)) {
      return wrong(`needs an http:// or https:// URL for broker ${id}, not ${shown(url)}`);
    }
    pages[id.trim()] = url.trim();
  }
  return good(pages);
}

function isPageUrl(text: string): boolean {
  return /^https?:\/\//i.test(text.trim()) && URL.canParse(text.trim());
}
