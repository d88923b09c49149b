import type { RunDocument } from '../boundary/run-document.ts';

/**
 * What was sent, by the words of its settings: `payload json, sizes lognormal:0.8`.
 * @returns null for random values of one size, without keys and headers, and for runs of programs that sent nothing else.
 */
export function messagesText({ configuration }: Pick<RunDocument, 'configuration'>): string | null {
  const { messages } = configuration;
  if (!isGroup(messages)) return null;
  const { payload, sizes, keys, headers } = messages;
  const names = isGroup(headers) ? Object.keys(headers) : [];
  const parts = [
    ...(payload === 'random' ? [] : [`payload ${payload}`]),
    ...(sizes === 'fixed' ? [] : [`sizes ${sizes} about the message size`]),
    ...(keys === 'none' ? [] : [`keys ${keys}`]),
    ...(names.length === 0 ? [] : [`headers ${names.join(', ')}`]),
  ];
  const isMore = keys !== 'none' || names.length > 0;
  const onTop = isMore ? '; MB/s are of the values alone' : '';
  return parts.length === 0 ? null : `${parts.join(', ')}${onTop}`;
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
