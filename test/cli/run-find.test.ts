import { describe, expect, it } from 'vitest';
import { withResume } from '../../src/cli/run-find.ts';

describe('withResume names the run once', () => {
  const cases: readonly (readonly [why: string, message: string, line: string])[] = [
    [
      'nothing said yet',
      'interrupted',
      'interrupted (1 trial is kept; go on with: plimsoll find --resume r-1)',
    ],
    ['said already', 'broker 2 is gone; find --resume r-1', 'broker 2 is gone; find --resume r-1'],
    [
      'said without the run',
      'then resume the run',
      'then resume the run (1 trial is kept; go on with: plimsoll find --resume r-1)',
    ],
  ];
  it.each(cases)('%s', (_why, message, line) => {
    expect(withResume(message, 'r-1', 1)).toBe(line);
  });
});
