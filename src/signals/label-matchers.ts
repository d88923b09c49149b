/** One condition on a label, as Prometheus has them. */
export interface LabelMatcher {
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

const MATCHER = /\s*([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"\s*(,|$)/y;

/** Reads `job="kafka",cluster=~"a|b"`, with or without braces around it. @returns null when it is no such list. */
export function parseLabelMatchers(text: string): readonly LabelMatcher[] | null {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1] ?? text;
  const matchers: LabelMatcher[] = [];
  const pattern = new RegExp(MATCHER);
  while (pattern.lastIndex < inner.trimEnd().length) {
    const match = pattern.exec(inner);
    const [, label, operator, value] = match ?? [];
    if (label === undefined || value === undefined) return null;
    matchers.push({ label, operator: operator as LabelMatcher['operator'], value: unescaped(value) });
  }
  return matchers;
}

/** Matchers for what an address says behind `?`: `instance=b1:7071&job=kafka`. */
export function matchersOfQuery(url: URL): readonly LabelMatcher[] {
  return [...url.searchParams].map(([label, value]) => ({ label, operator: '=', value }));
}

/** Writes matchers as PromQL has them between its braces. */
export function matchersText(matchers: readonly LabelMatcher[]): string {
  return matchers.map(({ label, operator, value }) => `${label}${operator}"${escaped(value)}"`).join(',');
}

/** Matches any of these names and nothing else. */
export function nameMatcher(names: Iterable<string>): LabelMatcher {
  const quoted = [...names].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return { label: '__name__', operator: '=~', value: quoted.join('|') };
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/gs, (_, char: string) => (char === 'n' ? '\n' : char));
}
