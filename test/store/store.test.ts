import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { PlimsollError } from '../../src/errors.ts';
import { openDatabase } from '../../src/store/database.ts';
import { ownerHere } from '../../src/store/run-owner.ts';
import { hasStore, openStore, Store, type StoreOptions } from '../../src/store/store.ts';
import { SILENCE_MS } from '../../src/store/stored-run.ts';
import { sampleEvidence, sampleRecord, sampleRun } from './sample-trial.ts';

let home: string;
const opened: Store[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-store-'));
});
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
  rmSync(home, { recursive: true });
});

function open(options?: StoreOptions): Store {
  const store = openStore(home, options);
  opened.push(store);
  return store;
}

function codeOf(work: () => unknown): { code: ErrorCode; message: string } | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error;
    return { code: error.code, message: error.message };
  }
}

const GONE = { ...ownerHere(), pid: 2 ** 30 };
const POINT: BoundaryPoint = {
  messageBytes: 1_000,
  estimate: 900,
  lower: { np: 45, unitRate: 20, messagesPerSecond: 900, trials: 2 },
  upper: null,
  quality: 'at least',
  limit: null,
  notes: [],
  trials: 6,
  seconds: 120.5,
};

describe('Store', () => {
  it('makes the home and gives back a trial with its evidence and event, after reopening too', () => {
    home = join(home, 'deep', 'er');
    expect(hasStore(home)).toBe(false);
    const first = open();
    const runId = first.createRun(sampleRun());
    expect(first.appendEvent(runId, { type: 'started' })).toBe(1);
    first.recordTrial(runId, sampleRecord(1), sampleEvidence(1), { type: 'trialFinished', trial: 1 });
    first.recordTrial(runId, sampleRecord(2), sampleEvidence(2), null);
    const second = open();
    expect(hasStore(home)).toBe(true);
    expect(second.trials(runId)).toEqual([sampleRecord(1), sampleRecord(2)]);
    expect(second.evidence(runId, 2)).toEqual(sampleEvidence(2));
    expect(second.evidence(runId, 3)).toBeNull();
    expect(second.events(runId)).toEqual([{ type: 'started' }, { type: 'trialFinished', trial: 1 }, null]);
    home = join(home, '..', '..');
  });

  it('records a trial as a whole or not at all', () => {
    const store = open();
    const runId = store.createRun(sampleRun());
    store.recordTrial(runId, sampleRecord(1), sampleEvidence(1), 'first');
    const again = codeOf(() => store.recordTrial(runId, sampleRecord(1), sampleEvidence(1), 'again'));
    expect(again?.code).toBe('STORE_FAILED');
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(codeOf(() => store.recordTrial(runId, sampleRecord(2), sampleEvidence(2), cyclic))?.code).toBe(
      'STORE_FAILED',
    );
    expect(store.events(runId)).toEqual(['first']);
    expect(store.trials(runId)).toEqual([sampleRecord(1)]);
    expect(store.evidence(runId, 2)).toBeNull();
  });

  it('makes the document of a run', () => {
    const store = open({ nowMs: () => 5_000 });
    const runId = store.createRun(sampleRun());
    store.savePoint(runId, { ...POINT, messageBytes: 10_000 });
    store.savePoint(runId, { ...POINT, estimate: 1 });
    store.savePoint(runId, POINT);
    store.recordTrial(runId, sampleRecord(1), sampleEvidence(1), null);
    store.addEnvironment(runId, { librdkafka: '2.12.0' });
    store.endRun(runId, 'finished');
    expect(store.runDocument(runId)).toEqual({
      format: 'plimsoll-curve/1',
      methodVersion: 1,
      run: { runId, status: 'finished', startedAtMs: 5_000, finishedAtMs: 5_000, error: null },
      cluster: { brokerIds: [1, 2], kafkaVersion: '4.4.0' },
      thresholds: expect.objectContaining({ idleRatio: 0.3, isrChurnShare: 0.5 }),
      configuration: sampleRun().configuration,
      environment: { node: 'v20', librdkafka: '2.12.0' },
      points: [POINT, { ...POINT, messageBytes: 10_000 }],
      trials: [sampleRecord(1)],
    });
    expect(store.listRuns()).toMatchObject([{ runId, status: 'finished', trialCount: 1, points: [{}, {}] }]);
  });

  it('keeps the search configuration and the error', () => {
    const store = open();
    const runId = store.createRun(sampleRun());
    store.endRun(runId, 'failed', 'Redis is gone');
    expect(store.run(runId)).toMatchObject({
      status: 'failed',
      error: 'Redis is gone',
      searchConfig: { precision: 0.05 },
    });
  });

  it('gives ids that sort by start and are never given twice', () => {
    const draws = [0, 0, 0, 0, 0, 0, 0.99, 0.99, 0.99];
    const store = open({ nowMs: () => Date.UTC(2026, 10, 30, 14, 15, 2), random: () => draws.shift() ?? 0 });
    expect(store.createRun(sampleRun('a'))).toBe('20261130-141502-000');
    expect(store.createRun(sampleRun('b'))).toBe('20261130-141502-zzz');
  });

  it('knows no run that it does not have', () => {
    const store = open();
    expect(codeOf(() => store.runDocument('nope'))?.code).toBe('RUN_UNKNOWN');
    expect(codeOf(() => store.claimRun('nope'))?.code).toBe('RUN_UNKNOWN');
  });
});

describe('one run per cluster', () => {
  it('refuses a second run while the first one lives, naming it', () => {
    const store = open();
    const runId = store.createRun(sampleRun('a'));
    const refused = codeOf(() => open().createRun(sampleRun('a')));
    expect(refused?.code).toBe('CLUSTER_BUSY');
    expect(refused?.message).toContain(`run ${runId} (process ${process.pid} on `);
    expect(store.runsInProgress('a').map((run) => run.runId)).toEqual([runId]);
    open().createRun(sampleRun('b'));
    store.endRun(runId, 'interrupted');
    open().createRun(sampleRun('a'));
  });

  it('takes over the run of a dead owner and goes on with its log', () => {
    const dead = open({ owner: GONE });
    const runId = dead.createRun(sampleRun());
    dead.recordTrial(runId, sampleRecord(1), sampleEvidence(1), 1);
    const store = open();
    expect(store.run(runId).status).toBe('interrupted');
    expect(store.runsInProgress('cluster-a')).toEqual([]);
    expect(store.claimRun(runId)).toMatchObject({ runId, status: 'running', owner: ownerHere() });
    store.recordTrial(runId, sampleRecord(2), sampleEvidence(2), 2);
    expect(store.events(runId)).toEqual([1, 2]);
    expect(codeOf(() => open().claimRun(runId))?.code).toBe('CLUSTER_BUSY');
  });

  it('lets a former owner write nothing more', () => {
    const former = open({ owner: GONE });
    const runId = former.createRun(sampleRun());
    open().claimRun(runId);
    expect(codeOf(() => former.recordTrial(runId, sampleRecord(1), sampleEvidence(1), 1))?.code).toBe(
      'STORE_FAILED',
    );
    expect(codeOf(() => former.endRun(runId, 'failed'))?.code).toBe('STORE_FAILED');
    expect(former.trials(runId)).toEqual([]);
  });

  it('does not claim an interrupted run while another one measures the cluster', () => {
    const runId = open({ owner: GONE }).createRun(sampleRun());
    const store = open();
    store.createRun(sampleRun());
    expect(codeOf(() => store.claimRun(runId))?.code).toBe('CLUSTER_BUSY');
  });

  it('returns a finished run unclaimed', () => {
    const store = open();
    const runId = store.createRun(sampleRun());
    store.endRun(runId, 'finished');
    expect(store.claimRun(runId).status).toBe('finished');
    expect(store.runsInProgress('cluster-a')).toEqual([]);
  });

  it('believes in a run of another machine as long as it writes now and then', () => {
    let nowMs = 1_000_000;
    const clock = () => nowMs;
    const away = open({ owner: { ...GONE, host: 'elsewhere.invalid' }, nowMs: clock });
    const runId = away.createRun(sampleRun());
    const store = open({ nowMs: clock });
    nowMs += SILENCE_MS - 1;
    expect(codeOf(() => store.createRun(sampleRun()))?.code).toBe('CLUSTER_BUSY');
    away.touchRun(runId);
    nowMs += SILENCE_MS - 1;
    expect(codeOf(() => store.createRun(sampleRun()))?.code).toBe('CLUSTER_BUSY');
    nowMs += 1;
    expect(store.createRun(sampleRun())).toEqual(expect.any(String));
  });
});

describe('topics', () => {
  it('stay open until they are known to be deleted', () => {
    const store = open({ owner: GONE, nowMs: () => 7_000 });
    const [one, two] = [store.createRun(sampleRun('a')), store.createRun(sampleRun('b'))];
    store.recordTopic(one, 'plimsoll-1');
    store.recordTopic(one, 'plimsoll-1');
    store.recordTopic(two, 'plimsoll-2');
    const later = open();
    expect(later.openTopics(one)).toEqual([
      { runId: one, name: 'plimsoll-1', createdAtMs: 7_000, cluster: sampleRun('a').cluster },
    ]);
    later.markTopicDeleted(one, 'plimsoll-1');
    expect(later.openTopics().map(({ name }) => name)).toEqual(['plimsoll-2']);
    store.recordTopic(one, 'plimsoll-1');
    expect(later.openTopics(one)).toHaveLength(1);
  });
});

describe('a store that cannot be', () => {
  it.each([
    {
      why: 'a home that is a file',
      spoil: () => writeFileSync(join(home, 'x'), ''),
      at: 'x',
      says: /\/x is a file where a folder is needed; use another --home$/,
    },
    {
      why: 'a file that is no database',
      spoil: () => writeFileSync(join(home, 'plimsoll.db'), 'x'.repeat(5_000)),
      at: '',
      says: /plimsoll\.db is not a database; move it away or use another --home$/,
    },
    {
      why: 'a folder in the place of the database',
      spoil: () => mkdirSync(join(home, 'plimsoll.db')),
      at: '',
      says: /plimsoll\.db cannot be opened; check its permissions or use another --home$/,
    },
    {
      why: 'a schema from the future',
      spoil: () =>
        openDatabase(join(home, 'plimsoll.db'), ['CREATE TABLE a (x)', 'CREATE TABLE b (x)']).close(),
      at: '',
      says: /plimsoll\.db was written by a newer Plimsoll \(schema 2, this one knows 1\); update Plimsoll or use another --home$/,
    },
  ])('is reported in one line: $why', ({ spoil, at, says }) => {
    spoil();
    const error = codeOf(() => openStore(join(home, at)));
    expect(error?.code).toBe('STORE_FAILED');
    expect(error?.message).toMatch(says);
  });

  it('says that the disk is full, and loses nothing that was recorded', () => {
    // SQLite's own limit on the number of pages raises the very error that a full disk does.
    const file = join(home, 'plimsoll.db');
    const db = openDatabase(file);
    const store = new Store(db, file);
    opened.push(store);
    const runId = store.createRun(sampleRun());
    db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 8}`);
    let recorded = 0;
    const full = codeOf(() => {
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

describe('openDatabase', () => {
  it('takes an older file through the steps that it lacks, keeping its rows', () => {
    const file = join(home, 'x.db');
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
    const db = openDatabase(join(home, 'x.db'));
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
    db.close();
  });
});
