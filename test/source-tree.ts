import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** One source file as the structure test looks at it. Paths are relative to the repository, with slashes. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  /** The text without comments and without the inside of strings. */
  readonly code: string;
  readonly comments: string;
  readonly imports: readonly SourceImport[];
}

export interface SourceImport {
  /** Path of a file in the repository, or a package or node: name. */
  readonly target: string;
  readonly isFile: boolean;
  readonly isTypeOnly: boolean;
}

/** Reads every .ts file below the folders; those that are not there yet hold none. */
export function readSourceTree(root: string, folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) => {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .map((name) => {
        const path = `${folder}/${name.replaceAll('\\', '/')}`;
        return readSource(path, readFileSync(join(root, path), 'utf8'));
      });
  });
}

export function readSource(path: string, text: string): SourceFile {
  const withoutComments = text.replace(COMMENT_OR_STRING, (token) => (/^\/[/*]/.test(token) ? ' ' : token));
  return {
    path,
    lines: text.trimEnd().split('\n').length,
    code: text.replace(COMMENT_OR_STRING, (token) => (/^\/[/*]/.test(token) ? ' ' : codeOfString(token))),
    comments: (text.match(COMMENT_OR_STRING) ?? []).filter((token) => /^\/[/*]/.test(token)).join('\n'),
    imports: [...withoutComments.matchAll(IMPORT)].map((match) => {
      const specifier = match[2] ?? match[3] ?? '';
      const isFile = specifier.startsWith('.');
      return {
        target: isFile ? normalize(join(dirname(path), specifier)) : packageOf(specifier),
        isFile,
        isTypeOnly: match[1] !== undefined,
      };
    }),
  };
}

/** Finds one cycle of imports that stay at run time; empty when there is none. */
export function findCycle(files: readonly SourceFile[]): string[] {
  const targets = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.filter(({ isFile, isTypeOnly }) => isFile && !isTypeOnly).map(({ target }) => target),
    ]),
  );
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const target of targets.get(path) ?? []) {
      const cycle = visit(target, [...trail, path]);
      if (cycle.length > 0) return cycle;
    }
    done.add(path);
    return [];
  };
  for (const path of targets.keys()) {
    const cycle = visit(path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

/** Comments and strings in the order in which they open, so that `'//'` is no comment and `// it's` no string. */
const COMMENT_OR_STRING =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g;

const IMPORT =
  /(?:^|[;\n])\s*(?:import|export)(\s+type)?\b[^'";]*?from\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;

/** Keeps what a template puts in: it is code. */
function codeOfString(token: string): string {
  if (!token.startsWith('`')) return "''";
  return `\`${[...token.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1]).join(' ')}\``;
}

function packageOf(specifier: string): string {
  return specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier[0] === '@' ? 2 : 1)
        .join('/');
}
