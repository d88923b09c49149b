import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { messageOf } from '../errors.ts';
import type { FailedLook } from './signal-source.ts';

const gunzipAsync = promisify(gunzip);
/** Pages are of some hundred kB: few pieces, as joining them costs more than the memory. */
const PIECE_BYTES = 128 * 1024;

/** Unpacks the body of an HTTP answer and reads it as UTF-8. A gzip body that was cut fails. */
export async function unpackBody(
  body: Buffer,
  encoding: string,
  largestBytes: number,
): Promise<{ readonly kind: 'text'; readonly text: string } | FailedLook> {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return { kind: 'text', text: body.toString('utf8') };
    case 'gzip':
    case 'x-gzip':
      break;
    default:
      return { kind: 'failed', reason: `packed as ${encoding}, which was not asked for` };
  }
  try {
    const plain = await gunzipAsync(body, { maxOutputLength: largestBytes, chunkSize: PIECE_BYTES });
    return { kind: 'text', text: plain.toString('utf8') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_BUFFER_TOO_LARGE') return { kind: 'failed', reason: tooLarge(largestBytes) };
    const isCut = code === 'Z_BUF_ERROR';
    return { kind: 'failed', reason: isCut ? 'answer ends too early' : `broken gzip (${messageOf(error)})` };
  }
}

/** Why an answer is not taken. */
export function tooLarge(largestBytes: number): string {
  return `answer larger than ${largestBytes / 1e6} MB`;
}
