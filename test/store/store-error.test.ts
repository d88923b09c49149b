import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { openStore, Store } from '../../src/store/store.ts';
import { sampleEvidence, sampleRecord, sampleRun } from './sample-trial.ts';
import { errorOf, useTemporaryStores } from './temporary-stores.ts';

const stores = useTemporaryStores();

describe('a store that cannot be', () => {
  it.each([
    {
      why: 'a home that is a file',
      spoil: () => writeFileSync(join(stores.home, 'x'), ''),
      at: 'x',
      says: /\/x is a file where a folder is needed; use another --home$/,
    },
    {
      why: 'a file that is no database',
      spoil: () => writeFileSync(join(stores.home, 'plimsoll.db'), 'x'.repeat(5_000)),
      at: '',
      says: /plimsoll\.db is not a database; move it away or use another --home$/,
    },
    {
      why: 'a folder in the place of the database',
      spoil: () => mkdirSync(join(stores.home, 'plimsoll.db')),
      at: '',
      says: /plimsoll\.db cannot be opened; check its permissions or use another --home$/,
    },
    {
      why: 'a schema from the future',
      spoil: () =>
        openDatabase(join(stores.home, 'plimsoll.db'), ['CREATE TABLE a (x)', 'CREATE TABLE b (x)']).close(),
      at: '',
      says: /plimsoll\.db was written by a newer Plimsoll \(schema 2, this one knows 1\); update Plimsoll or use another --home$/,
    },
  ])('is reported in one line: $why', ({ spoil, at, says }) => {
    spoil();
    const error = errorOf(() => openStore(join(stores.home, at)));
    expect(error?.code).toBe('STORE_FAILED');
    expect(error?.message).toMatch(says);
  });

  it('says that the disk is full, and loses nothing that was recorded', () => {
    // SQLite's own limit on the number of pages raises the very error that a full disk does.
    const file = join(stores.home, 'plimsoll.db');
    const db = openDatabase(file);
    const store = new Store(db, file);
    stores.closeLater(store);
    const runId = store.createRun(sampleRun());
    db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 8}`);
    let recorded = 0;
    const full = errorOf(() => {
      for (; recorded < 1_000; recorded += 1) {
        store.recordTrial(runId, sampleRecord(recorded + 1), sampleEvidence(recorded + 1), recorded + 1);
      }
    });
    expect(full?.code).toBe('DISK_FULL');
    expect(full?.message).toContain('no space left for');
    expect(recorded).toBeGreaterThan(0);
    expect(store.trials(runId)).toHaveLength(recorded);
    expect(store.events(runId)).toHaveLength(recorded);
    db.pragma('max_page_count = 100000');
    store.recordTrial(runId, sampleRecord(recorded + 1), sampleEvidence(recorded + 1), recorded + 1);
    expect(store.evidence(runId, recorded + 1)).toEqual(sampleEvidence(recorded + 1));
  });
});
