import { describe, expect, it } from 'vitest';
import { formatCheck } from '../src/cli/doctor.ts';
import { tellProgress } from '../src/cli/tell-progress.ts';
import { printable } from '../src/printable.ts';

describe('printable', () => {
  it.each([
    ['plain text stays', 'page of broker 1: 100 % idle, \u00e9', 'page of broker 1: 100 % idle, \u00e9'],
    ['colours', '4.4.0\u001b[31mRED', '4.4.0\\x1b[31mRED'],
    ['title of the window', '\u001b]0;pwn\u0007', '\\x1b]0;pwn\\x07'],
    ['the same of one byte', '\u009b2J', '\\x9b2J'],
    ['lines that look like ours', 'a\r\nok    all is well', 'a  ok    all is well'],
    ['text written backwards', 'a\u202eb', 'a\\u202eb'],
  ])('%s', (_why, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('ends what would go on for pages', () => {
    expect(printable(`why: ${'A'.repeat(50_000)}`)).toMatch(/^why: A+\.\.\.$/);
    expect(printable('A'.repeat(50_000)).length).toBe(2_000);
  });

  it('is used for checks of the doctor, detail and remedy', () => {
    const line = formatCheck(
      { status: 'fail', name: 'page \u001b[2J', detail: '\u001b[31m', fix: '\u0007' },
      80,
    );
    expect(printable(line.replaceAll('\n', ''))).toBe(line.replaceAll('\n', ''));
  });

  it('is used for what a run tells', () => {
    const told: unknown[] = [];
    const observe = tellProgress({ tell: (event) => told.push(event), close: () => {} });
    observe({ type: 'warning', text: 'shard 0 is lost: \u001b[31m' });
    expect(told).toEqual([{ type: 'note', text: 'warning: shard 0 is lost: \\x1b[31m' }]);
  });
});
