import { describe, expect, it } from 'vitest';
import type { AckLatencySummary } from '../../boundary/latency.ts';
import type { TrialRecord } from '../../boundary/run-document.ts';
import { curveCsv } from '../../charts/curve-csv.ts';
import { curveJson, parseRunDocument } from '../../charts/curve-json.ts';
import { latencySection, latencyTrial } from '../../charts/latency-table.ts';
import { timedText, trialLatencyText } from '../../charts/latency-text.ts';
import { reportHtml } from '../../charts/report-html.ts';
import { bound, point, sampleDocument, trial } from './sample-document.ts';

const LATENCY: AckLatencySummary = {
  messages: 24_000,
  missing: 0,
  p50Ms: 5.3,
  p90Ms: 9,
  p99Ms: 41.2,
  p999Ms: 180,
  maxMs: 2_003.4,
  timedProducers: 4,
};
const BEYOND: AckLatencySummary = { ...LATENCY, missing: 400, p99Ms: null, p999Ms: null, maxMs: null };

const timed = (sequence: number, ackLatency: AckLatencySummary = LATENCY): TrialRecord => ({
  ...trial(sequence, 1_000, 50, 80, 0.3),
  ackLatency,
});

const documentOf = (...trials: TrialRecord[]) => sampleDocument([point(1_000, 4_000, 4_230)], trials);

describe('the latency of a lower bound', () => {
  it.each<[why: string, trials: TrialRecord[], sequence: number | undefined]>([
    [
      'of two trials the one with the larger p99',
      [timed(1), timed(2, { ...LATENCY, p99Ms: 90 }), timed(3)],
      2,
    ],
    [
      'a p99 beyond all that was seen is the largest',
      [timed(1, { ...LATENCY, p99Ms: 900 }), timed(2, BEYOND)],
      2,
    ],
    [
      'trials of another load tell nothing of it',
      [{ ...timed(1), plan: trial(1, 1_000, 49, 80, 0.3).plan }],
      undefined,
    ],
    [
      'nor does one that was not sustained',
      [{ ...timed(1), verdict: trial(1, 1_000, 50, 80, 0.1).verdict }],
      undefined,
    ],
    ['nor one that timed nothing', [trial(1, 1_000, 50, 80, 0.3)], undefined],
  ])('%s', (_why, trials, sequence) => {
    expect(latencyTrial(point(1_000, 4_000, 4_230), trials)?.sequence).toBe(sequence);
  });

  it('stands in the report with every percentile, in whole ms, rounded up', () => {
    const page = reportHtml(documentOf(timed(1)));
    expect(page).toContain('Latency of the sustained loads');
    for (const cell of ['6 ms', '9 ms', '42 ms', '180 ms', '2,004 ms'])
      expect(page).toContain(`<td>${cell}</td>`);
    expect(page).toContain('4 of 50 producers, 24,000 messages');
    expect(page).toContain('Acked p99');
    expect(page).not.toContain('Consumed');
  });

  it('says of messages without an answer that there was none', () => {
    expect(latencySection(documentOf(timed(1, BEYOND))).text).toContain('<td>no answer</td>');
    expect(trialLatencyText(timed(1, BEYOND))).toBe('  p99 no answer');
  });

  it('adds the way to the consumer, and how far the clocks may be apart', () => {
    const consumed = (clockErrorMs: number | null) =>
      latencySection(documentOf({ ...timed(1), consumeLatency: { ...LATENCY, messages: 90, clockErrorMs } }))
        .text;
    expect(consumed(1.2)).toContain('may be apart by 2 ms');
    expect(consumed(1.2)).toContain('90 messages');
    expect(consumed(null)).toContain('is not known');
  });

  it('is not made up: without it the report is as it was, and too fast producers are named', () => {
    expect(latencySection(documentOf(trial(1, 1_000, 50, 80, 0.3))).text).toBe('');
    expect(reportHtml(documentOf(trial(1, 1_000, 50, 80, 0.3)))).not.toContain('p99');
    const fast = { ...point(100, 1_250_000, null), lower: bound(1_250_000) };
    expect(latencySection(sampleDocument([fast], [])).text).toContain('Latency not measured at 100 B');
  });
});

describe('latency in files and on the terminal', () => {
  it('comes back from curve.json', () => {
    const trials = [{ ...timed(1), consumeLatency: { ...BEYOND, clockErrorMs: null } }];
    const parsed = parseRunDocument(curveJson(documentOf(...trials)));
    expect(parsed.kind === 'document' && parsed.document.trials[0]).toMatchObject({
      ackLatency: LATENCY,
      consumeLatency: { messages: 24_000, missing: 400, p50Ms: 5.3, p99Ms: null, clockErrorMs: null },
    });
  });

  it('stands in the CSV at the lower bound; what is not known is empty', () => {
    const lastCells = (...trials: TrialRecord[]) =>
      curveCsv(documentOf(...trials))
        .trimEnd()
        .split(',')
        .slice(-3);
    expect(lastCells(timed(1))).toEqual(['5.3', '41.2', '180']);
    expect(lastCells(timed(1, BEYOND))).toEqual(['5.3', '', '']);
    expect(lastCells(trial(1, 1_000, 50, 80, 0.3))).toEqual(['', '', '']);
  });

  it.each([
    [timed(1), '  p99 42 ms', '4 of 50 producers, 24,000 messages'],
    [timed(1, { ...LATENCY, timedProducers: 50 }), '  p99 42 ms', 'all producers, 24,000 messages'],
    [trial(1, 1_000, 50, 80, 0.3), '', '-'],
  ])('is short in the line of a trial', (record, line, cell) => {
    expect(trialLatencyText(record)).toBe(line);
    expect(timedText(record)).toBe(cell);
  });
});
