import { describe, expect, it } from 'vitest';
import { terminalTable } from '../../charts/terminal-table.ts';
import { point, sampleDocument } from './sample-document.ts';

const odd = sampleDocument([
  point(100, 10_700, null, 'at least'),
  point(1_000, null, 4_230, 'at most'),
  point(5_000, 2_500, 4_000, 'wide'),
  point(10_000_000, 25e6, 26e6),
]);

describe('terminalTable', () => {
  it('shows everything in one row where there is room', () => {
    const lines = terminalTable(sampleDocument(), { columns: 120, isAscii: true }).split('\n');
    expect(lines[3]).toBe(
      '  100 B  50      10,700      11,300  2.8 %  1.07     0.357  converged       9  request-handler idle on broker 2',
    );
    expect(lines[2]).toMatch(/^-+( {2}-+){9}$/);
  });

  it.each([160, 120, 100, 80, 60, 40])('fits into %d columns', (columns) => {
    for (const document of [sampleDocument(), odd]) {
      for (const line of terminalTable(document, { columns, isAscii: false }).split('\n')) {
        expect(line.length, line).toBeLessThanOrEqual(columns);
      }
    }
  });

  it('at 80 columns keeps rates, bounds, MB/s per broker and quality, and says the limit below', () => {
    const text = terminalTable(sampleDocument(), { columns: 80, isAscii: false });
    for (const heading of ['overloaded', 'MB/s per', 'quality', '±']) expect(text).toContain(heading);
    expect(text).toContain('\n100 B: limited by request-handler idle on broker 2\n');
  });

  it('never drops size, sustained rate and quality', () => {
    const text = terminalTable(odd, { columns: 10, isAscii: true });
    for (const part of ['5 kB', '2,500', 'wide', '25,000,000']) expect(text).toContain(part);
  });

  it('is plain ASCII when asked, whatever is in the notes', () => {
    const document = sampleDocument([{ ...point(100, 1, 2), notes: ['idle ± 1 % – “unsure”'] }]);
    expect(terminalTable(document, { columns: 80, isAscii: true })).toMatch(/^[\n\x20-\x7e]*$/);
  });

  it('holds no colour codes and says so when there is nothing', () => {
    expect(terminalTable(odd, { columns: 80, isAscii: false })).not.toContain('\u001b');
    expect(terminalTable(sampleDocument([]), { columns: 80, isAscii: false })).toMatch(/No message size/);
  });
});
