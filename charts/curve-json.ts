import type { RunDocument } from '../boundary/run-document.ts';
import { runDocumentSchema } from './run-document-schema.ts';

/** Writes the run as `curve.json`: two spaces, fixed order, so that two runs can be compared by `diff`. */
export function curveJson(document: RunDocument): string {
  const ordered: RunDocument = {
    format: document.format,
    methodVersion: document.methodVersion,
    run: document.run,
    cluster: document.cluster,
    signals: document.signals,
    thresholds: document.thresholds,
    configuration: sortedByKey(document.configuration),
    environment: sortedByKey(document.environment),
    points: document.points,
    trials: document.trials,
  };
  return `${JSON.stringify(ordered, null, 2)}\n`;
}

export type ParsedRunDocument =
  | { readonly kind: 'document'; readonly document: RunDocument }
  | { readonly kind: 'problem'; readonly problem: string };

/**
 * Reads a `curve.json` and checks every field.
 * @returns the document, or one line that names the first field that is wrong.
 */
export function parseRunDocument(text: string): ParsedRunDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'problem', problem: 'not JSON: the file is cut off or is something else' };
  }
  const parsed = runDocumentSchema.safeParse(value);
  if (parsed.success) return { kind: 'document', document: parsed.data };
  const issue = parsed.error.issues[0];
  const where = issue && issue.path.length > 0 ? issue.path.map(String).join('.') : 'the document';
  return { kind: 'problem', problem: `${where}: ${issue?.message ?? 'not understood'}` };
}

function sortedByKey<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
