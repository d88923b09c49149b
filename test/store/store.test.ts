import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import { METHOD_VERSION } from '../../boundary/run-document.ts';
import { hasStore } from '../../src/store/store.ts';
import { sampleEvidence, sampleRecord, sampleRun } from './sample-trial.ts';
import { errorOf, GONE, useTemporaryStores } from './temporary-stores.ts';

const stores = useTemporaryStores();

const POINT: BoundaryPoint = {
  messageBytes: 1_000,
  estimate: 900,
  interval: null,
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
    const home = join(stores.home, 'deep', 'er');
    expect(hasStore(home)).toBe(false);
    const first = stores.open({}, home);
    const runId = first.createRun(sampleRun());
    expect(first.appendEvent(runId, { type: 'started' })).toBe(1);
    first.recordTrial(runId, sampleRecord(1), sampleEvidence(1), { type: 'trialFinished', trial: 1 });
    first.recordTrial(runId, sampleRecord(2), sampleEvidence(2), null);
    const second = stores.open({}, home);
    expect(hasStore(home)).toBe(true);
    expect(second.trials(runId)).toEqual([sampleRecord(1), sampleRecord(2)]);
    expect(second.evidence(runId, 2)).toEqual(sampleEvidence(2));
    expect(second.evidence(runId, 3)).toBeNull();
    expect(second.events(runId)).toEqual([{ type: 'started' }, { type: 'trialFinished', trial: 1 }, null]);
  });

  it('keeps a trial that nothing was seen of', () => {
    const store = stores.open();
    const runId = store.createRun(sampleRun());
    store.recordTrial(runId, sampleRecord(1), null, { type: 'trialFinished' });
    expect(store.trials(runId)).toEqual([sampleRecord(1)]);
    expect(store.evidence(runId, 1)).toBeNull();
    expect(store.events(runId)).toEqual([{ type: 'trialFinished' }]);
  });

  it('records a trial as a whole or not at all', () => {
    const store = stores.open();
    const runId = store.createRun(sampleRun());
    store.recordTrial(runId, sampleRecord(1), sampleEvidence(1), 'first');
    const again = errorOf(() => store.recordTrial(runId, sampleRecord(1), sampleEvidence(1), 'again'));
    expect(again?.code).toBe('STORE_FAILED');
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(errorOf(() => store.recordTrial(runId, sampleRecord(2), sampleEvidence(2), cyclic))?.code).toBe(
      'STORE_FAILED',
    );
    expect(store.events(runId)).toEqual(['first']);
    expect(store.trials(runId)).toEqual([sampleRecord(1)]);
    expect(store.evidence(runId, 2)).toBeNull();
  });

  it('makes the document of a run', () => {
    const store = stores.open({ nowMs: () => 5_000 });
    const runId = store.createRun(sampleRun());
    store.savePoint(runId, { ...POINT, messageBytes: 10_000 });
    store.savePoint(runId, { ...POINT, estimate: 1 });
    store.savePoint(runId, POINT);
    store.recordTrial(runId, sampleRecord(1), sampleEvidence(1), null);
    store.addEnvironment(runId, { librdkafka: '2.12.0' });
    store.endRun(runId, 'finished');
    expect(store.runDocument(runId)).toEqual({
      format: 'plimsoll-curve/1',
      methodVersion: METHOD_VERSION,
      run: { runId, status: 'finished', startedAtMs: 5_000, finishedAtMs: 5_000, error: null },
      cluster: { brokerIds: [1, 2], kafkaVersion: '4.4.0' },
      signals: { source: 'scrape', idle: null },
      thresholds: expect.objectContaining({ idleRatio: 0.3, isrChurnShare: 0.5 }),
      configuration: sampleRun().configuration,
      environment: { node: 'v20', librdkafka: '2.12.0' },
      points: [POINT, { ...POINT, messageBytes: 10_000 }],
      trials: [sampleRecord(1)],
    });
    expect(store.listRuns()).toMatchObject([{ runId, status: 'finished', trialCount: 1, points: [{}, {}] }]);
  });

  it('keeps the search configuration and the error', () => {
    const store = stores.open();
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
    const store = stores.open({
      nowMs: () => Date.UTC(2026, 10, 30, 14, 15, 2),
      random: () => draws.shift() ?? 0,
    });
    expect(store.createRun(sampleRun('a'))).toBe('20261130-141502-000');
    expect(store.createRun(sampleRun('b'))).toBe('20261130-141502-zzz');
  });

  it('knows no run that it does not have', () => {
    const store = stores.open();
    expect(errorOf(() => store.runDocument('nope'))?.code).toBe('RUN_UNKNOWN');
    expect(errorOf(() => store.claimRun('nope'))?.code).toBe('RUN_UNKNOWN');
  });
});

describe('topics', () => {
  it('stay open until they are known to be deleted', () => {
    const store = stores.open({ owner: GONE, nowMs: () => 7_000 });
    const [one, two] = [store.createRun(sampleRun('a')), store.createRun(sampleRun('b'))];
    store.recordTopic(one, 'plimsoll-1');
    store.recordTopic(one, 'plimsoll-1');
    store.recordTopic(two, 'plimsoll-2');
    const later = stores.open();
    expect(later.openTopics(one)).toEqual([
      { runId: one, name: 'plimsoll-1', createdAtMs: 7_000, cluster: sampleRun('a').cluster },
    ]);
    later.markTopicDeleted(one, 'plimsoll-1');
    expect(later.openTopics().map(({ name }) => name)).toEqual(['plimsoll-2']);
    store.recordTopic(one, 'plimsoll-1');
    expect(later.openTopics(one)).toHaveLength(1);
  });
});
