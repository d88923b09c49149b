import type { ProgressSink, WriteText } from './progress-event.ts';
import { jsonProgress } from './progress-json.ts';
import { liveProgress } from './progress-live.ts';
import { plainProgress } from './progress-plain.ts';

/** The part of a stream that progress needs; `process.stderr` has it. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface ProgressOptions {
  readonly isJson: boolean;
  /** Idle ratio below which a broker is marked; the run's threshold. */
  readonly idleLimit: number;
}

/** Chooses how to show progress on `stream`: JSON when asked, redrawn on a terminal, plain lines elsewhere. */
export function createProgress(stream: ProgressStream, options: ProgressOptions): ProgressSink {
  const write: WriteText = (text) => {
    stream.write(text);
  };
  if (options.isJson) return jsonProgress(write);
  // a terminal of unknown or tiny width cannot be redrawn without leaving litter
  if (stream.isTTY === true && (stream.columns ?? 0) >= 20) {
    return liveProgress({ write, columns: () => stream.columns ?? 80, idleLimit: options.idleLimit });
  }
  return plainProgress(write);
}
