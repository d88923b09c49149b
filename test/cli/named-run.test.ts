import { describe, expect, it } from 'vitest';
import { namedRun } from '../../src/cli/named-run.ts';
import { sampleRun } from '../store/sample-trial.ts';
import { useTemporaryStores } from '../store/temporary-stores.ts';

const stores = useTemporaryStores();

describe('namedRun', () => {
  it('finds the run that started last, and takes an id as it is', () => {
    let now = 0;
    const store = stores.open({ nowMs: () => ++now * 60_000 });
    store.endRun(store.createRun(sampleRun()), 'finished');
    const runId = store.createRun(sampleRun());
    expect(namedRun(store, 'last')).toBe(runId);
    expect(namedRun(store, '20261130-141502-000')).toBe('20261130-141502-000');
  });

  it('says so when there is no run yet', () => {
    expect(() => namedRun(stores.open(), 'last')).toThrow(/no runs in this home yet/);
  });
});
