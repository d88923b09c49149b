import { describe, expect, it } from 'vitest';
import type { RunDocument } from '../../boundary/run-document.ts';
import { CURVE_CSV_COLUMNS, curveCsv } from '../../charts/curve-csv.ts';
import { curveJson, parseRunDocument } from '../../charts/curve-json.ts';
import { curveSvg } from '../../charts/curve-svg.ts';
import { reportHtml } from '../../charts/report-html.ts';
import { terminalTable } from '../../charts/terminal-table.ts';
import { sampleDocument } from './sample-document.ts';

const read = sampleDocument();
const unread: RunDocument = { ...read, signals: { source: 'none', idle: null } };

const OUTPUTS: readonly { readonly name: string; readonly of: (document: RunDocument) => string }[] = [
  { name: 'terminal table', of: (document) => terminalTable(document, { columns: 60, isAscii: true }) },
  { name: 'curve picture', of: (document) => curveSvg(document) },
  { name: 'report', of: reportHtml },
];

describe('a run whose verdicts come from delivery alone', () => {
  it.each(OUTPUTS)('says so in the $name, and only then', ({ of }) => {
    const said = /delivery( only|\s+alone)/i;
    expect(of(unread).replaceAll(/\s+/g, ' ')).toMatch(said);
    expect(of(read)).not.toMatch(/delivery only/i);
  });

  it('calls nothing safe and gives nothing to plan with', () => {
    const page = reportHtml(unread);
    expect(page).not.toMatch(/\/s safe|safely takes|Plan with (at most|the lower)|Safe =/);
    expect(page).toMatch(/No load here is known to be safe/);
    expect(page).toMatch(/request handlers and in-sync replicas were not looked at/);
    expect(reportHtml(read)).toMatch(/\/s safe/);
  });

  it('heads the column of lower bounds with what was seen', () => {
    const table = (document: RunDocument) => terminalTable(document, { columns: 60, isAscii: true });
    expect(table(unread)).toMatch(/^ +size +delivered/m);
    expect(table(read)).toMatch(/^ +size .*sustained/m);
    expect(reportHtml(unread)).toContain('Messages/s delivered</th>');
  });

  it('says so in the title of the picture, which is passed on alone', () => {
    expect(curveSvg(unread)).toContain('What was delivered, brokers not looked at');
  });

  it('says so in every row of the CSV', () => {
    const column = CURVE_CSV_COLUMNS.indexOf('signals');
    const cells = (document: RunDocument) =>
      curveCsv(document)
        .trim()
        .split('\r\n')
        .map((row) => row.split(',')[column]);
    expect(cells(unread)).toEqual(['signals', 'none', 'none', 'none']);
    expect(cells(read)).toEqual(['signals', 'scrape', 'scrape', 'scrape']);
  });

  it('says so in the JSON, which reads back', () => {
    const parsed = parseRunDocument(curveJson(unread));
    expect(parsed.kind === 'document' && parsed.document.signals).toEqual({ source: 'none', idle: null });
  });
});
