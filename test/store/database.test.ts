import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { useTemporaryStores } from './temporary-stores.ts';

const stores = useTemporaryStores();

describe('openDatabase', () => {
  it('takes an older file through the steps that it lacks, keeping its rows', () => {
    const file = join(stores.home, 'x.db');
    const one = ['CREATE TABLE a (x)', 'ALTER TABLE a ADD COLUMN y'];
    const old = openDatabase(file, one.slice(0, 1));
    old.exec('INSERT INTO a VALUES (1)');
    old.close();
    const now = openDatabase(file, one);
    expect(now.prepare('SELECT * FROM a').all()).toEqual([{ x: 1, y: null }]);
    expect(now.pragma('user_version', { simple: true })).toBe(2);
    now.close();
  });

  it('keeps commits through a power cut: WAL, synchronous FULL', () => {
    const db = openDatabase(join(stores.home, 'x.db'));
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
    db.close();
  });
});
