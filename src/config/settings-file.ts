import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { messageOf, PlimsollError } from '../errors.ts';

/** The settings of a file, and where in it each of them stands. */
export interface SettingsFile {
  readonly values: Readonly<Record<string, unknown>>;
  /** `plimsoll.yaml:7` for the deepest part of the path that the file has; null when it has none of it. */
  placeOf(path: readonly PropertyKey[]): string | null;
}

/**
 * Reads the settings file: `path` when given (it must be there), else `plimsoll.yaml` of the folder when there is one.
 * @returns null when there is no file.
 * @throws PlimsollError CONFIG_INVALID when the file cannot be read or is not YAML.
 */
export function readSettingsFile(path: string | undefined, folder: string): SettingsFile | null {
  const file = path ?? join(folder, 'plimsoll.yaml');
  if (path === undefined && !existsSync(file)) return null;
  const shownName = path ?? basename(file);
  const lines = new LineCounter();
  const document = parseDocument(readText(file, shownName), { lineCounter: lines, prettyErrors: false });
  // The first only: those behind it mostly follow from it.
  const [error] = document.errors;
  if (error !== undefined) throw noYaml(`${shownName}:${lines.linePos(error.pos[0]).line}`, error);
  const values = valuesOf(document, shownName);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new PlimsollError(
      'CONFIG_INVALID',
      `${shownName}:1: must hold settings, one \`name: value\` a line`,
    );
  }
  return {
    values: values as Record<string, unknown>,
    placeOf: (wanted) => {
      const offset = offsetOf(document, wanted);
      return offset === null ? null : `${shownName}:${lines.linePos(offset).line}`;
    },
  };
}

/** @throws PlimsollError for aliases that unfold without end. */
function valuesOf(document: Document, shownName: string): unknown {
  const values = unfolded(document, shownName);
  if (!isEndless(values, [])) return values;
  throw new PlimsollError('CONFIG_INVALID', `${shownName}: an alias stands within what it stands for`);
}

function unfolded(document: Document, shownName: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    throw noYaml(shownName, error);
  }
}

function isEndless(value: unknown, around: readonly unknown[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return around.includes(value) || Object.values(value).some((part) => isEndless(part, [...around, value]));
}

function noYaml(place: string, cause: unknown): PlimsollError {
  // A file that is no text at all is quoted by the parser, control characters and all.
  const reason = messageOf(cause).replace(/[\p{Cc}\p{Cf}\uFFFD]/gu, '');
  const text = reason.length > 160 ? `${reason.slice(0, 157)}...` : reason;
  return new PlimsollError('CONFIG_INVALID', `${place}: ${text}`, { cause });
}

function readText(file: string, shownName: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'there is no such settings file' : `cannot be read: ${messageOf(cause)}`;
    throw new PlimsollError('CONFIG_INVALID', `${shownName}: ${why}`, { cause });
  }
}

/** Walks down the document as far as the path goes. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | null {
  let node: unknown = document.contents;
  let offset: number | null = null;
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (!pair) break;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      offset = isScalar(node) || isMap(node) ? (node.range?.[0] ?? offset) : offset;
    } else break;
  }
  return offset;
}
