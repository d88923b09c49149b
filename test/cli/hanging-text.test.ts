import { describe, expect, it } from 'vitest';
import { hangingText } from '../../src/cli/hanging-text.ts';

describe('hangingText', () => {
  it.each<[string, number | null, string, string]>([
    ['one line', 30, 'ok  page  one line', 'fits'],
    ['three words that need two', 30, 'ok  page  three words that\n          need two', 'breaks at a space'],
    [
      'from a_series_name_longer_than_it now',
      30,
      'ok  page  from\n          a_series_name_longer_than_it\n          now',
      'a long word stays whole',
    ],
    ['three words that need two', null, 'ok  page  three words that need two', 'no terminal'],
    ['three words that need two', 12, 'ok  page  three words that need two', 'no room beside the name'],
  ])('%s in %s columns (%#)', (text, columns, expected) => {
    expect(hangingText('ok  page  ', text, columns)).toBe(expected);
  });
});
