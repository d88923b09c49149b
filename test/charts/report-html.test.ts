import { describe, expect, it } from 'vitest';
import type { RunDocument, TrialRecord } from '../../boundary/run-document.ts';
import { reportHtml } from '../../charts/report-html.ts';
import { bound, estimatedPoint, point, sampleDocument, trial } from './sample-document.ts';

const HOSTILE = `<img src=x onerror="alert('1')">`;

function hostileDocument(): RunDocument {
  const base = sampleDocument([{ ...point(100, 10, 20, 'wide'), notes: [HOSTILE] }], []);
  return {
    ...base,
    run: { ...base.run, runId: HOSTILE, status: 'failed', error: HOSTILE },
    cluster: { ...base.cluster, kafkaVersion: HOSTILE },
    configuration: { [HOSTILE]: { [HOSTILE]: [HOSTILE, { a: HOSTILE }] } },
    environment: { [HOSTILE]: HOSTILE },
    trials: [
      {
        ...trial(1, 100, 5, 2, 0.5, { kind: 'invalid', reason: 'shard lost', detail: HOSTILE }),
        idleByBroker: { [HOSTILE]: 0.3 },
      },
    ],
  };
}

const rows = (page: string): string[] => [...page.matchAll(/<tr>.*?<\/tr>/gs)].map((match) => match[0]);

describe('reportHtml', () => {
  it('leads with what to plan: 80 % of the lower bound, per broker', () => {
    const page = reportHtml(sampleDocument());
    expect(page).toContain('<strong>0.285 MB/s per broker</strong> at 100 B messages');
    expect(page).toContain('<strong>5.33 MB/s per broker</strong> at 10 kB');
    expect(page).toContain('8,560/s safe');
  });

  it.each([
    [3, 'With 3 brokers the loss of one leaves only 66 %; plan with that to carry it.'],
    [5, null],
    [1, null],
  ])('says what the loss of one of %i brokers means', (brokers, sentence) => {
    const base = sampleDocument();
    const brokerIds = Array.from({ length: brokers }, (_, index) => index + 1);
    const page = reportHtml({ ...base, cluster: { ...base.cluster, brokerIds } });
    if (sentence === null) expect(page).not.toContain('the loss of one');
    else expect(page).toContain(sentence);
  });

  it('asks for nothing outside: no address, no script, no link, no import', () => {
    const page = reportHtml(sampleDocument());
    expect(page).not.toMatch(/https?:\/\//);
    expect(page).not.toMatch(/<(script|link|iframe|img|object|embed|use)\b/i);
    expect(page).not.toMatch(/@import|url\((?!#)/i);
    expect(page).not.toMatch(/ (src|href|xlink:href)="(?!#)/i);
  });

  it('escapes every string of the run', () => {
    const page = reportHtml(hostileDocument());
    expect(page).not.toMatch(/<img/i);
    expect(page).toContain('&lt;img src=x onerror=');
  });

  it('opens and closes every element', () => {
    for (const document of [sampleDocument(), hostileDocument(), sampleDocument([], [])]) {
      const open: string[] = [];
      const markup = reportHtml(document).replace(/<style>.*?<\/style>|<!doctype html>/gs, '');
      for (const [, slash, name = '', selfClosed] of markup.matchAll(/<(\/?)([a-zA-Z][\w:]*)[^>]*?(\/?)>/g)) {
        if (slash === '/') expect(open.pop()).toBe(name);
        else if (selfClosed !== '/' && !['meta', 'br', 'hr'].includes(name)) open.push(name);
      }
      expect(open).toEqual([]);
    }
  });

  it('has a row for every trial with verdict in shape and word, and idle per broker', () => {
    const document = sampleDocument();
    const page = reportHtml(document);
    const trialRows = rows(page).filter((row) => /[●■×] (sustained|overloaded|invalid)/.test(row));
    expect(trialRows).toHaveLength(document.trials.length);
    expect(trialRows.filter((row) => row.includes('■ overloaded'))).toHaveLength(12);
    expect(trialRows[0]).toContain('71.0 %');
    expect(page).toContain('generator-limited: shard 2 used 1.0 cores');
  });

  it('draws a bracket for every size with a mark for every trial', () => {
    const page = reportHtml(sampleDocument());
    const brackets = [...page.matchAll(/<figure>.*?<\/figure>/gs)].map((match) => match[0]);
    expect(brackets).toHaveLength(3);
    expect(brackets[2]?.match(/<circle/g)).toHaveLength(5);
    expect(brackets[2]?.match(/<rect[^>]*width="8"/g)).toHaveLength(4);
    expect(brackets[2]?.match(/l8,-8/g)).toHaveLength(1);
  });

  it('recolours every colour of the pictures, so that dark mode leaves no dark text on dark', () => {
    const page = reportHtml(sampleDocument());
    const pictures = page.replace(/<style>.*?<\/style>/s, '');
    const drawn = new Set(
      [...pictures.matchAll(/<text[^>]* fill="(#[0-9a-f]{6})"/g)].map((match) => match[1]),
    );
    expect(drawn.size).toBeGreaterThan(1);
    for (const colour of drawn) expect(page).toContain(`svg [fill="${colour}"] { fill: var(`);
  });

  it('says which figure to plan with, true for each strategy', () => {
    const estimated = reportHtml(sampleDocument([estimatedPoint(1_000, 1_578, 0.0646)]));
    expect(estimated).toContain('<strong>1,578</strong> ± 6.5 %');
    expect(estimated).toContain('1,479 to 1,683');
    expect(estimated).toContain('The line is the estimate of the limit');
    expect(estimated).toContain('Plan with the lower bound');
    const bounds = reportHtml(sampleDocument());
    expect(bounds).toContain('The line is the lower bound');
    expect(bounds).not.toContain('interval of the limit');
  });

  it('shows the interval where the search closed in', () => {
    const page = reportHtml(sampleDocument([estimatedPoint(1_000, 4_100, 0.03)]));
    expect(page).toMatch(/<figure>.*<rect[^>]*fill="#b5d3ec".*stroke-dasharray.*<\/figure>/s);
  });

  it('lists trials in the order they ran, each with the sentence that asked for it', () => {
    const asked = (sequence: number, messageBytes: number): TrialRecord => ({
      ...trial(sequence, messageBytes, 50, 80, 0.26),
      why: `np 50 next, asked ${sequence} <b>`,
    });
    const page = reportHtml(sampleDocument(undefined, [asked(3, 100), asked(1, 1_000), asked(2, 100)]));
    const told = [...page.matchAll(/<tr class="remark">.*?<span>(.*?)<\/span>/g)].map((match) => match[1]);
    expect(told).toEqual([1, 2, 3].map((sequence) => `np 50 next, asked ${sequence} &lt;b&gt;`));
  });

  it('explains holds and how long they lasted, and tells the overload dose', () => {
    const record = trial(1, 1_000, 50, 80, 0.1);
    const held: TrialRecord = { ...record, plan: { ...record.plan, purpose: 'hold' }, heldSeconds: 220 };
    const hold = { plannedSeconds: 600, lasted: null, drops: [] };
    const page = reportHtml(sampleDocument([estimatedPoint(1_000, 8_000, 0.04, { hold })], [held]));
    expect(page).toContain('held for 3 min 40 s');
    expect(page).toContain('hold keeps a load up for long');
    expect(page).not.toContain('gallop');
    expect(page).toContain('no hold of 10 min could be judged');
    expect(page).toMatch(/overload dose<\/th><td class="value">0 s/);
  });

  it('says how long a load was kept up, since what is sustained for a window need not last', () => {
    const window: TrialRecord = { ...trial(1, 1_000, 50, 80, 0.3), windowSeconds: 44.6 };
    const found = estimatedPoint(1_000, 4_100);
    const hold = { plannedSeconds: 600, lasted: bound(4_000), drops: [] };
    const unheld = reportHtml(sampleDocument([found], [window]));
    expect(unheld).toContain('No load was kept up for longer than 45 s: whether it lasts');
    expect(unheld).toContain('sustained in the test: ');
    const held = reportHtml(sampleDocument([{ ...found, hold }], [window]));
    expect(held).not.toContain('was kept up for longer');
    expect(held).toContain('sustained for 10 min: ');
    const some = reportHtml(sampleDocument([{ ...found, hold }, estimatedPoint(100, 9_000)], [window]));
    expect(some).toContain('No load at 100 B was kept up for longer than 45 s');
  });

  it('says first that a cluster is simulated', () => {
    const page = reportHtml({ ...sampleDocument(), environment: { simulated: 'small.yaml' } });
    expect(page.indexOf('Simulated cluster: no broker was measured.')).toBeLessThan(
      page.indexOf('Plan with'),
    );
    expect(reportHtml(sampleDocument())).not.toContain('Simulated cluster');
  });

  it('says when a run is not finished, and when nothing is known', () => {
    const base = sampleDocument([point(1_000, null, 4_230, 'at most')], []);
    const page = reportHtml({ ...base, run: { ...base.run, status: 'interrupted', finishedAtMs: null } });
    expect(page).toContain('This run was interrupted.');
    expect(page).toContain('there is no safe figure yet');
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });
});
