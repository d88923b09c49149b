import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { terminalTable } from '../../charts/terminal-table.ts';
import { bound, estimatedPoint, point, sampleDocument } from './sample-document.ts';

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
    expect(text).toContain('\nall sizes: limited by request-handler idle on broker 2\n');
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

const adaptive = sampleDocument([
  estimatedPoint(1_000, 1_578, 0.0646, { lower: bound(999), upper: bound(1_800) }),
  estimatedPoint(4_000, 10_509, 0.12),
  point(16_000, 1_500, 2_100, 'wide'),
]);

describe('terminalTable of a search with intervals', () => {
  it('leads with the limit and its interval, and keeps both bounds, at 80 columns', () => {
    const lines = terminalTable(adaptive, { columns: 80, isAscii: false }).split('\n');
    expect(lines.slice(0, 7)).toEqual([
      ' size         limit      95 %  sustained  overloaded   MB/s  MB/s per  quality',
      '         messages/s                               at           broker',
      '─────  ────────────  ────────  ─────────  ──────────  ─────  ────────  ─────────',
      ' 1 kB         1,578   ± 6.5 %        999       1,800  0.999     0.333  converged',
      ' 4 kB        10,509  ± 12.0 %      9,773      11,140   39.1      13.0  converged',
      '16 kB  1,500..2,100                1,500       2,100   24.0      8.00  wide',
      '',
    ]);
  });

  it('gives a converged size with bounds far apart the margin of its interval', () => {
    const text = terminalTable(adaptive, { columns: 140, isAscii: true });
    expect(text).toMatch(/1,578 +\+\/- 6\.5 % +999 +1,800 .*converged/);
    expect(text).toContain('The limit is an estimate with its 95 % interval; plan with what was sustained.');
  });

  it.each([160, 140, 100, 80, 60, 40])('fits into %d columns', (columns) => {
    for (const isAscii of [true, false]) {
      for (const line of terminalTable(adaptive, { columns, isAscii }).split('\n')) {
        if (columns >= 60) expect(line.length, line).toBeLessThanOrEqual(columns);
      }
    }
  });

  it('never shows an estimate without its interval, at any width', () => {
    const rate = fc.integer({ min: 100, max: 9_000_000 });
    const halfWidth = fc.double({ min: 0.001, max: 2, noNaN: true });
    fc.assert(
      fc.property(rate, halfWidth, fc.integer({ min: 1, max: 160 }), (estimate, width, columns) => {
        const document = sampleDocument([estimatedPoint(1_000, estimate, width)], []);
        const row = terminalTable(document, { columns, isAscii: true }).split('\n')[3] ?? '';
        expect(row).toMatch(/^ *1 kB +([\d,]+ +\+\/- [\d.]+ %|[\d,]+\.\.[\d,]+) /);
      }),
    );
  });

  it('tells holds, the former run, the curve between sizes and the dose below', () => {
    const document = sampleDocument(
      [
        estimatedPoint(1_000, 2_200, 0.04, {
          hold: { plannedSeconds: 600, lasted: bound(2_100), drops: [] },
          former: { outcome: 'confirmed', ratio: 1.02 },
          interpolation: 0.08,
        }),
        estimatedPoint(4_000, 1_000),
      ],
      [],
    );
    const text = terminalTable(document, { columns: 140, isAscii: true });
    expect(text).toContain('\n1 kB: held 2,100/s for 10 min\n1 kB: confirms the former run (+2 %)\n');
    expect(text).toContain('\nbetween the sizes the curve is known to +/- 8.0 % or better');
    expect(text).toContain('\noverload dose 0 s (seconds above the limit x how far above)\n');
  });

  it('says once what holds for several sizes', () => {
    const at = (messageBytes: number, brokerId: number, notes: string[]) =>
      estimatedPoint(messageBytes, 1_000, 0.04, {
        limit: { rule: 'request-handler idle', brokerId },
        notes,
      });
    const points = [at(100, 2, ['ISR not observed']), at(1_000, 3, []), at(10_000, 2, ['ISR not observed'])];
    const lines = terminalTable(sampleDocument(points, []), { columns: 80, isAscii: true }).split('\n');
    expect(lines).toContain('100 B, 10 kB: limited by request-handler idle on broker 2');
    expect(lines).toContain('1 kB: limited by request-handler idle on broker 3');
    expect(lines).toContain('100 B, 10 kB: ISR not observed');
  });

  it('says first that a cluster is simulated, also when there is nothing yet', () => {
    const simulated = { ...adaptive, environment: { simulated: 'small.yaml' } };
    for (const document of [simulated, { ...simulated, points: [] }]) {
      const text = terminalTable(document, { columns: 80, isAscii: false });
      expect(text.startsWith('Simulated cluster: no broker was measured.\n\n')).toBe(true);
    }
    expect(terminalTable(adaptive, { columns: 80, isAscii: false })).not.toContain('Simulated');
  });
});
