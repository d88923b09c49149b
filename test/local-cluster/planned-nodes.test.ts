import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../../src/local-cluster/cluster-state.ts';
import type { ExporterOptions } from '../../src/local-cluster/local-cluster.ts';
import { plannedNodes } from '../../src/local-cluster/planned-nodes.ts';

function stateOf(brokers: number, isCombined: boolean): ClusterState {
  return {
    phase: 'starting',
    kafkaVersion: '4.4.0',
    owner: null,
    isCombined,
    clients: null,
    controller: { process: null, port: 20_000 },
    brokers: Array.from({ length: brokers }, (_, index) => ({
      id: index + 1,
      process: null,
      port: 20_001 + 10 * index,
      metricsPort: 20_002 + 10 * index,
      agentPorts: [20_003 + 10 * index, 20_004 + 10 * index],
      clientPort: null,
    })),
  };
}

const plan = {
  directory: '/d',
  replicaLagTimeMaxMs: 4_000,
  exporters: [],
  javaAgents: [],
  dataFolders: {},
};

function propertiesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s, 2) as [string, string]),
  );
}

describe('the processes of a cluster', () => {
  it('are a controller without metrics and the brokers', () => {
    const nodes = plannedNodes(plan, stateOf(2, false));
    expect(nodes.map(({ place, metrics }) => [place.role, place.id, metrics?.port ?? null])).toEqual([
      ['controller', 1000, null],
      ['broker', 1, 20_002],
      ['broker', 2, 20_012],
    ]);
    for (const { properties } of nodes)
      expect(propertiesOf(properties)['controller.quorum.voters']).toBe('1000@127.0.0.1:20000');
  });

  it('are brokers alone when the first one is the controller too', () => {
    const nodes = plannedNodes(plan, stateOf(2, true)).map(({ properties }) => propertiesOf(properties));
    expect(
      nodes.map((node) => [node['process.roles'], node['controller.quorum.voters'], node.listeners]),
    ).toEqual([
      ['broker,controller', '1@127.0.0.1:20000', 'PLAINTEXT://127.0.0.1:20001,CONTROLLER://127.0.0.1:20000'],
      ['broker', '1@127.0.0.1:20000', 'PLAINTEXT://127.0.0.1:20011'],
    ]);
    expect(nodes.map((node) => node['default.replication.factor'])).toEqual(['2', undefined]);
  });

  const lists: { exporters: readonly ExporterOptions[]; expected: readonly string[]; reason: string }[] = [
    { exporters: [], expected: ['default', 'default', 'default'], reason: 'what users are given' },
    { exporters: [{ rulesFile: 'a' }], expected: ['a', 'a', 'a'], reason: 'one for all' },
    {
      exporters: [{ rulesFile: 'a' }, { rulesFile: 'b' }],
      expected: ['a', 'b', 'b'],
      reason: 'the last one goes for the rest',
    },
    { exporters: [{ rulesFile: 'a' }, {}], expected: ['a', 'default', 'default'], reason: 'an empty one' },
  ];
  for (const { exporters, expected, reason } of lists) {
    it(`show their metrics by ${expected.join(', ')}: ${reason}`, () => {
      const nodes = plannedNodes({ ...plan, exporters }, stateOf(3, true));
      expect(nodes.map(({ metrics }) => metrics?.exporter.rulesFile ?? 'default')).toEqual(expected);
    });
  }

  it('carry further agents, each with a port of its own', () => {
    const javaAgents = ['/a.jar=port={port}', '/b.jar={port}:{port}', '/c.jar'];
    const nodes = plannedNodes({ ...plan, javaAgents }, stateOf(2, true));
    expect(nodes.map(({ metrics }) => metrics?.javaAgents)).toEqual([
      ['/a.jar=port=20003', '/b.jar=20004:20004', '/c.jar'],
      ['/a.jar=port=20013', '/b.jar=20014:20014', '/c.jar'],
    ]);
  });

  it('keep their data where they are told', () => {
    const nodes = plannedNodes({ ...plan, dataFolders: { 2: '/small' } }, stateOf(2, true));
    expect(nodes.map(({ properties }) => propertiesOf(properties)['log.dirs'])).toEqual([
      '/d/broker-1/data',
      '/small',
    ]);
  });

  describe('with a listener for clients', () => {
    const secret = { user: 'u', password: 'p', keyStoreFile: '/k.p12', caFile: '/k.pem' };
    const withClients = (isCombined: boolean, clients: ClusterState['clients']) => {
      const state = stateOf(2, isCombined);
      const brokers = state.brokers.map((broker, index) => ({ ...broker, clientPort: 20_005 + 10 * index }));
      return plannedNodes(plan, { ...state, brokers, clients });
    };

    it('take clients in where they are sent, and each other by the first one', () => {
      const nodes = withClients(false, { advertisedPorts: [30_001, 30_002], secret: null }).slice(1);
      const last = propertiesOf(nodes[1]?.properties ?? '');
      expect(last.listeners).toBe('PLAINTEXT://127.0.0.1:20011,CLIENTS://127.0.0.1:20015');
      expect(last['advertised.listeners']).toBe('PLAINTEXT://127.0.0.1:20011,CLIENTS://127.0.0.1:30002');
      expect(last['listener.security.protocol.map']).toMatch(/,CLIENTS:PLAINTEXT$/);
    });

    it.each([
      { isCombined: false, why: 'the controller' },
      { isCombined: true, why: 'the broker that is the controller' },
    ])('ask for a password there, which $why is formatted with', ({ isCombined }) => {
      const nodes = withClients(isCombined, { advertisedPorts: null, secret });
      const user = ['--add-scram', 'SCRAM-SHA-512=[name=u,password=p]'];
      expect(nodes.map(({ formatArguments }) => formatArguments)).toEqual([
        user,
        ...nodes.slice(1).map(() => []),
      ]);
      const last = propertiesOf(nodes.at(-1)?.properties ?? '');
      expect(last['advertised.listeners']).toBe('PLAINTEXT://127.0.0.1:20011,CLIENTS://127.0.0.1:20015');
      expect(last['listener.security.protocol.map']).toMatch(/,CLIENTS:SASL_SSL$/);
      expect(last['listener.name.clients.ssl.keystore.location']).toBe('/k.p12');
    });
  });

  it('are noted in the state that they were planned from', () => {
    const state = stateOf(1, false);
    const process = { pid: 1, startedAt: 'now' };
    for (const node of plannedNodes(plan, state)) node.entry.process = process;
    expect([state.controller.process, state.brokers[0]?.process]).toEqual([process, process]);
  });
});
