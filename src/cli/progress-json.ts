import type { ProgressSink, WriteText } from './progress-event.ts';

/** Progress for machines: every event as one line of JSON (NDJSON), polls too. */
export function jsonProgress(write: WriteText): ProgressSink {
  return {
    tell(event) {
      write(`${JSON.stringify(event)}\n`);
    },
    close() {},
  };
}
