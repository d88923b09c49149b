import { describe, expect, it } from 'vitest';
import { ensureJars } from '../../src/local-cluster/jars.ts';

describe('a Kafka version that the local cluster cannot run', () => {
  const versions = [
    { version: '3.9.0', reason: 'before 4: other settings' },
    { version: 'latest', reason: 'Maven would take it for a name' },
    { version: '4.4', reason: 'no such release' },
    { version: '4.4.0/../..', reason: 'it becomes part of a path' },
    { version: '', reason: 'empty' },
  ];
  for (const { version, reason } of versions) {
    it(`is refused before Maven runs: "${version}", ${reason}`, async () => {
      const lines: string[] = [];
      const jars = ensureJars(version, '/nowhere', (line) => lines.push(line));
      await expect(jars).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining('4.4.0'),
      });
      expect(lines).toEqual([]);
    });
  }
});
