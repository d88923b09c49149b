import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClusterState,
  readClusterState,
  writeClusterState,
} from '../../src/local-cluster/cluster-state.ts';
import { clusterStatus } from '../../src/local-cluster/cluster-status.ts';
import { logTail } from '../../src/local-cluster/log-tail.ts';
import { findRunningCluster } from '../../src/local-cluster/running-cluster.ts';
import { stopLocalCluster } from '../../src/local-cluster/stop-local-cluster.ts';
import { identifyProcess } from '../../src/process/process-identity.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plimsoll-state-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const self = identifyProcess(process.pid);
const gone = { pid: process.pid, startedAt: 'before this one' };

function stateWith(change: Partial<ClusterState>): ClusterState {
  return {
    phase: 'running',
    kafkaVersion: '4.4.0',
    owner: null,
    isCombined: false,
    clients: null,
    controller: { process: self, port: 20_000 },
    brokers: [{ id: 1, process: self, port: 20_001, metricsPort: 20_002, agentPorts: [], clientPort: null }],
    ...change,
  };
}

describe('the state file', () => {
  const damaged = [
    '',
    '{',
    '[]',
    '{"phase":"running"}',
    JSON.stringify({ ...stateWith({}), brokers: [{ id: 'x' }] }),
  ];
  for (const text of damaged) {
    it(`is told to be damaged, and taken down: ${text.slice(0, 20)}`, async () => {
      writeFileSync(join(directory, 'local-cluster.json'), text);
      expect(readClusterState(directory)).toBe('damaged');
      expect(clusterStatus(directory).condition).toBe('damaged');
      expect(await stopLocalCluster(directory)).toBe(true);
      expect(clusterStatus(directory).condition).toBe('absent');
    });
  }

  it('is read as it was written, with no half file beside it', () => {
    writeClusterState(directory, stateWith({}));
    expect(readClusterState(directory)).toEqual(stateWith({}));
    expect(readdirSync(directory)).toEqual(['local-cluster.json']);
  });
});

describe('the status', () => {
  it('has no controller of its own beside the broker that is one', () => {
    writeClusterState(directory, stateWith({ isCombined: true, controller: { process: null, port: 1 } }));
    expect(clusterStatus(directory)).toMatchObject({ condition: 'running', nodes: [{ role: 'broker' }] });
    expect(clusterStatus(directory).nodes).toHaveLength(1);
  });

  it('is read from a file written before there were combined nodes, further agents and listeners', () => {
    const { isCombined, clients, brokers, ...old } = stateWith({});
    const [broker] = brokers.map(({ agentPorts, clientPort, ...rest }) => {
      expect([isCombined, clients, agentPorts, clientPort]).toEqual([false, null, [], null]);
      return rest;
    });
    writeFileSync(join(directory, 'local-cluster.json'), JSON.stringify({ ...old, brokers: [broker] }));
    expect(readClusterState(directory)).toEqual(stateWith({}));
  });
});

describe('taking down', () => {
  it("removes the cluster's things and leaves the rest", async () => {
    for (const name of ['controller', 'broker-1', 'keys', 'logs', 'mine']) mkdirSync(join(directory, name));
    writeFileSync(join(directory, 'plimsoll.db'), 'runs');
    writeFileSync(join(directory, 'local-cluster.json.4711'), 'half');
    expect(await stopLocalCluster(directory)).toBe(true);
    expect(readdirSync(directory).sort()).toEqual(['mine', 'plimsoll.db']);
    expect(await stopLocalCluster(directory)).toBe(false);
  });

  it('does not touch the process that now has a written pid', async () => {
    writeClusterState(directory, stateWith({ controller: { process: gone, port: 1 }, brokers: [] }));
    expect(await stopLocalCluster(directory)).toBe(true);
    expect(identifyProcess(process.pid)).toEqual(self);
  });
});

describe('a start in a directory that is in use', () => {
  const wanted = { kafkaVersion: '4.4.0', brokers: 1 };
  const brokerGone = [
    { id: 1, process: gone, port: 20_001, metricsPort: 20_002, agentPorts: [], clientPort: null },
  ];
  const cases: { state: ClusterState | 'damaged' | null; expected: string | null; reason: string }[] = [
    { state: null, expected: null, reason: 'nothing there' },
    { state: 'damaged', expected: null, reason: 'leftovers' },
    { state: stateWith({}), expected: 'reused', reason: 'running as wanted' },
    { state: stateWith({ phase: 'starting' }), expected: null, reason: 'its starter was killed' },
    {
      state: stateWith({ controller: { process: gone, port: 1 }, brokers: brokerGone }),
      expected: null,
      reason: 'all dead: the machine was restarted',
    },
    { state: stateWith({ brokers: brokerGone }), expected: 'CLUSTER_FAILED', reason: 'a broker crashed' },
    { state: stateWith({ owner: self }), expected: 'CLUSTER_BUSY', reason: 'it dies with another process' },
    { state: stateWith({ owner: gone }), expected: 'reused', reason: 'its owner is gone, yet it lives' },
    { state: stateWith({ kafkaVersion: '4.0.0' }), expected: 'CLUSTER_BUSY', reason: 'another version' },
  ];
  for (const { state, expected, reason } of cases) {
    it(`${expected ?? 'starts anew'}: ${reason}`, () => {
      if (state !== null && state !== 'damaged') writeClusterState(directory, state);
      expect(outcomeOf(() => findRunningCluster(directory, state, wanted))).toBe(expected);
    });
  }
});

function outcomeOf(find: () => { readonly isReused: boolean } | null): string | null {
  try {
    return find()?.isReused ? 'reused' : null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('the end of a log', () => {
  it('leaves out stack frames and blank lines, and reads only the end of a long file', () => {
    const file = join(directory, 'broker.log');
    const frames = '\tat kafka.Kafka.main(Kafka.scala)\n'.repeat(5);
    writeFileSync(file, `${'old line\n'.repeat(10_000)}ERROR no space left\n\n${frames}last\n`);
    expect(logTail(file, 3)).toEqual(['old line', 'ERROR no space left', 'last']);
  });

  it('is empty without a log', () => expect(logTail(join(directory, 'none.log'), 3)).toEqual([]));
});
