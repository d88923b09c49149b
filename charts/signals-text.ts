import type { RunDocument } from '../boundary/run-document.ts';

/** Short mark for titles and table rows when the brokers' own signals were not read; null when they were. */
export function deliveryOnlyMark(document: Pick<RunDocument, 'signals'>): string | null {
  return document.signals.source === 'none' ? 'delivery only' : null;
}

/** What a lower bound stands for: heading of its column. */
export function lowerBoundWord(document: Pick<RunDocument, 'signals'>): 'sustained' | 'delivered' {
  return deliveryOnlyMark(document) === null ? 'sustained' : 'delivered';
}

/** One sentence on what the verdicts rest on: where the idle ratio came from, or that there was none. */
export function signalsSentence(
  document: Pick<RunDocument, 'signals'> & Partial<Pick<RunDocument, 'environment'>>,
): string {
  if (document.environment?.simulated !== undefined) return 'Signals: simulated, as everything in this run.';
  const { source } = document.signals;
  const idle = document.signals.idle ?? 'how idle was told is not recorded';
  switch (source) {
    case 'none':
      return (
        "Signals: none. The brokers' own idle and in-sync replicas were not read, as asked; verdicts come from " +
        'delivery alone, so a broker may be close to its limit well below these loads.'
      );
    case 'scrape':
      return `Signals: metrics page of each broker; ${idle}.`;
    case 'prometheus':
      return `Signals: raw samples of a Prometheus server; ${idle}.`;
    case 'jolokia':
      return `Signals: MBeans read through Jolokia; ${idle}.`;
  }
}
