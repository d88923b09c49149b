import { describe, expect, it } from 'vitest';
import { ownerHere } from '../../src/store/run-owner.ts';
import { SILENCE_MS } from '../../src/store/stored-run.ts';
import { sampleEvidence, sampleRecord, sampleRun } from './sample-trial.ts';
import { errorOf, GONE, useTemporaryStores } from './temporary-stores.ts';

const stores = useTemporaryStores();

describe('one run per cluster', () => {
  it('refuses a second run while the first one lives, naming it', () => {
    const store = stores.open();
    const runId = store.createRun(sampleRun('a'));
    const refused = errorOf(() => stores.open().createRun(sampleRun('a')));
    expect(refused?.code).toBe('CLUSTER_BUSY');
    expect(refused?.message).toContain(`run ${runId} (process ${process.pid} on `);
    expect(store.runsInProgress('a').map((run) => run.runId)).toEqual([runId]);
    stores.open().createRun(sampleRun('b'));
    store.endRun(runId, 'interrupted');
    stores.open().createRun(sampleRun('a'));
  });

  it('knows the cluster by the addresses of its brokers, whichever of them a run was pointed at', () => {
    const runAt = (address: string) => {
      const { cluster, ...run } = sampleRun();
      const brokerAddresses = ['a:1', 'b:2'];
      return { ...run, cluster: { ...cluster, clusterId: null, bootstrap: [address], brokerAddresses } };
    };
    stores.open().createRun(runAt('a:1'));
    expect(errorOf(() => stores.open().createRun(runAt('b:2')))?.code).toBe('CLUSTER_BUSY');
  });

  it('takes over the run of a dead owner and goes on with its log', () => {
    const dead = stores.open({ owner: GONE });
    const runId = dead.createRun(sampleRun());
    dead.recordTrial(runId, sampleRecord(1), sampleEvidence(1), 1);
    const store = stores.open();
    expect(store.run(runId).status).toBe('interrupted');
    expect(store.runsInProgress('cluster-a')).toEqual([]);
    expect(store.claimRun(runId)).toMatchObject({ runId, status: 'running', owner: ownerHere() });
    store.recordTrial(runId, sampleRecord(2), sampleEvidence(2), 2);
    expect(store.events(runId)).toEqual([1, 2]);
    expect(errorOf(() => stores.open().claimRun(runId))?.code).toBe('CLUSTER_BUSY');
  });

  it('lets a former owner write nothing more', () => {
    const former = stores.open({ owner: GONE });
    const runId = former.createRun(sampleRun());
    stores.open().claimRun(runId);
    expect(errorOf(() => former.recordTrial(runId, sampleRecord(1), sampleEvidence(1), 1))?.code).toBe(
      'STORE_FAILED',
    );
    expect(errorOf(() => former.endRun(runId, 'failed'))?.code).toBe('STORE_FAILED');
    expect(former.trials(runId)).toEqual([]);
  });

  it('does not claim an interrupted run while another one measures the cluster', () => {
    const runId = stores.open({ owner: GONE }).createRun(sampleRun());
    const store = stores.open();
    store.createRun(sampleRun());
    expect(errorOf(() => store.claimRun(runId))?.code).toBe('CLUSTER_BUSY');
  });

  it('returns a finished run unclaimed', () => {
    const store = stores.open();
    const runId = store.createRun(sampleRun());
    store.endRun(runId, 'finished');
    expect(store.claimRun(runId).status).toBe('finished');
    expect(store.runsInProgress('cluster-a')).toEqual([]);
  });

  it('believes in a run of another machine as long as it writes now and then', () => {
    let nowMs = 1_000_000;
    const clock = () => nowMs;
    const away = stores.open({ owner: { ...GONE, host: 'elsewhere.invalid' }, nowMs: clock });
    const runId = away.createRun(sampleRun());
    const store = stores.open({ nowMs: clock });
    nowMs += SILENCE_MS - 1;
    expect(errorOf(() => store.createRun(sampleRun()))?.code).toBe('CLUSTER_BUSY');
    away.touchRun(runId);
    nowMs += SILENCE_MS - 1;
    expect(errorOf(() => store.createRun(sampleRun()))?.code).toBe('CLUSTER_BUSY');
    nowMs += 1;
    expect(store.createRun(sampleRun())).toEqual(expect.any(String));
  });
});
