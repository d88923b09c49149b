import { describe, expect, it } from 'vitest';
import { crashLine } from '../../src/queue/crash-line.ts';

describe('crashLine', () => {
  it.each([
    [
      'file:///x.js:1\n  throw\n\nTypeError: no such thing\n    at f\n\nNode.js v20.20.2\n',
      'TypeError: no such thing',
      'a thrown error',
    ],
    ['a\nterminate called after throwing\n', 'terminate called after throwing', 'a crash in native code'],
    ['', '', 'killed without a word'],
  ])('of %j is %j (%s)', (stderr, line) => {
    expect(crashLine(stderr)).toBe(line);
  });
});
