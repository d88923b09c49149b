import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAgentJars } from '../../src/local-cluster/agent-jars.ts';
import { clusterStatus } from '../../src/local-cluster/cluster-status.ts';
import type { LocalCluster } from '../../src/local-cluster/local-cluster.ts';
import { packageRoot } from '../../src/local-cluster/package-root.ts';
import { startLocalCluster } from '../../src/local-cluster/start-local-cluster.ts';
import { stopLocalCluster } from '../../src/local-cluster/stop-local-cluster.ts';
import { findProcessesByArgument } from '../../src/process/find-processes.ts';
import { identifyProcess } from '../../src/process/process-identity.ts';
import { waitUntil } from '../../src/process/wait-until.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-cluster-'));
const directory = join(scratch, 'kept');

afterAll(async () => {
  await stopLocalCluster(directory);
  await stopLocalCluster(join(scratch, 'bound'));
  rmSync(scratch, { recursive: true, force: true });
});

describe('a local cluster that goes on by itself', () => {
  let cluster: LocalCluster;

  beforeAll(async () => {
    cluster = await startLocalCluster({ directory, keepRunning: true });
  });

  const series = [
    [
      'kafka_server_kafkarequesthandlerpool_requesthandleravgidlepercent_count_total',
      'exact idle of any window',
    ],
    [
      'kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent',
      'age of the meter, by Count / MeanRate',
    ],
    ['kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidlepercent_count_total', 'the 4.2 name'],
    ['kafka_server_replicamanager_underreplicatedpartitions', 'ISR churn'],
    ['kafka_server_replicamanager_isrshrinks_total', 'ISR churn'],
    ['kafka_server_replicamanager_isrexpands_total', 'ISR churn'],
    ['kafka_server_brokertopicmetrics_bytesin_total', 'matching pages to brokers'],
    ['kafka_server_brokertopicmetrics_messagesin_total', 'delivery'],
    ['kafka_server_brokertopicmetrics_replicationbytesin_total', 'replication load'],
    ['kafka_network_requestchannel_requestqueuesize', 'delivery rule: the broker slows'],
    ['kafka_network_socketserver_networkprocessoravgidlepercent', 'the other thread pool'],
    ['java_lang_operatingsystem_processcpuload', 'CPU of the broker'],
  ];

  it('serves on every broker the series that a verdict needs, and its own id and version', async () => {
    for (const [id, url] of Object.entries(cluster.metricsUrls)) {
      const page = await (await fetch(url)).text();
      for (const [name, reason] of series)
        expect(page, reason).toMatch(new RegExp(`^${name} [\\d.E-]+$`, 'm'));
      expect(page).toContain(`kafka_server_app_info_version{id="${id}",version="4.4.0"} 1.0`);
      expect(page).not.toContain('topic=');
    }
    expect(Object.keys(cluster.metricsUrls)).toEqual(['1', '2', '3']);
  });

  it('tells in its status that all four nodes live', () => {
    const status = clusterStatus(directory);
    expect(status).toMatchObject({ condition: 'running', bootstrap: cluster.bootstrap, ownerPid: null });
    expect(status.nodes.map(({ role, isAlive, pid }) => [role, isAlive, pid])).toEqual([
      ['controller', true, expect.any(Number)],
      ...cluster.brokers.map(({ pid }) => ['broker', true, pid]),
    ]);
  });

  it('is found by a second start, whose stop leaves it alone', async () => {
    const second = await startLocalCluster({ directory, keepRunning: true });
    expect(second).toMatchObject({ isReused: true, bootstrap: cluster.bootstrap, brokers: cluster.brokers });
    await second.stop();
    expect(clusterStatus(directory).condition).toBe('running');
  });

  it('refuses a start that wants another version', async () => {
    const start = startLocalCluster({ directory, keepRunning: true, brokers: 2 });
    await expect(start).rejects.toMatchObject({
      code: 'CLUSTER_BUSY',
      message: expect.stringContaining('on 3 brokers'),
    });
  });

  it('reports a crashed broker with the end of its log', async () => {
    const victim = cluster.brokers[1]?.pid ?? 0;
    process.kill(victim, 'SIGKILL');
    await waitUntil(() => identifyProcess(victim) === null, 5_000);
    const status = clusterStatus(directory);
    expect(status.condition).toBe('crashed');
    expect(status.nodes.filter((node) => !node.isAlive)).toMatchObject([
      {
        role: 'broker',
        id: 2,
        logEnd: expect.arrayContaining([expect.stringContaining('Kafka Server started')]),
      },
    ]);
    await expect(startLocalCluster({ directory, keepRunning: true })).rejects.toMatchObject({
      code: 'CLUSTER_FAILED',
      message: expect.stringMatching(/^Broker 2 of the local cluster .* has crashed/),
    });
  });

  it('leaves no process and no data when it is stopped, not even after its state was half written', async () => {
    const file = join(directory, 'local-cluster.json');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 100));
    expect(clusterStatus(directory).condition).toBe('damaged');
    await cluster.stop();
    for (const { pid } of cluster.brokers) expect(identifyProcess(pid)).toBeNull();
    expect(findProcessesByArgument(join(directory, 'controller', 'server.properties'))).toEqual([]);
    expect(existsSync(directory)).toBe(false);
  });
});

describe('a local cluster of one combined node', () => {
  const combined = join(scratch, 'combined');
  afterAll(() => stopLocalCluster(combined));

  it('is broker and controller in one process, and carries a further agent on a port of its own', async () => {
    const { jolokia } = await ensureAgentJars();
    const cluster = await startLocalCluster({
      directory: combined,
      brokers: 1,
      keepRunning: false,
      isCombined: true,
      javaAgents: [`${jolokia}=host=127.0.0.1,port={port},discoveryEnabled=false`],
    });
    expect(clusterStatus(combined).nodes.map(({ role, isAlive }) => [role, isAlive])).toEqual([
      ['broker', true],
    ]);
    const page = await (await fetch(cluster.metricsUrls[1] ?? '')).text();
    expect(page).toContain('kafka_server_raft_metrics_current_state{state="leader"} 1.0');
    expect(page).toContain(
      'kafka_server_kafkarequesthandlerpool_controllerrequesthandleravgidlepercent_count_total ',
    );
    const [port] = cluster.brokers[0]?.agentPorts ?? [];
    const bean = 'kafka.server:type=KafkaRequestHandlerPool,name=BrokerRequestHandlerAvgIdlePercent';
    const answer = await fetch(`http://127.0.0.1:${port}/jolokia/read/${bean}/Count`);
    expect(await answer.json()).toMatchObject({ status: 200, value: expect.any(Number) });
    await cluster.stop();
    expect(existsSync(combined)).toBe(false);
  });
});

describe('a local cluster bound to its program', () => {
  const bound = join(scratch, 'bound');

  it('dies with a program that is killed with -9, and its leftovers do not hinder the next start', async () => {
    const module = pathToFileURL(join(packageRoot(), 'dist/src/local-cluster/start-local-cluster.js'));
    const script = `const { startLocalCluster } = await import('${module}');
      await startLocalCluster({ directory: '${bound}', brokers: 1, keepRunning: false });
      console.log('ready');
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // A parent that fails closes its output without a word: that ends the wait too.
    const [text] = await Promise.race([once(parent.stdout, 'data'), once(parent, 'exit')]);
    expect(String(text)).toContain('ready');
    const before = clusterStatus(bound);
    expect(before).toMatchObject({ condition: 'running', ownerPid: parent.pid });
    await expect(
      startLocalCluster({ directory: bound, brokers: 1, keepRunning: true }),
    ).rejects.toMatchObject({
      code: 'CLUSTER_BUSY',
    });

    parent.kill('SIGKILL');
    // The guards have the file among their arguments too, so this sees them as well as the JVMs.
    const files = ['controller', 'broker-1'].map((name) => join(bound, name, 'server.properties'));
    const isGone = (): boolean => files.every((file) => findProcessesByArgument(file).length === 0);
    expect(await waitUntil(isGone, 5_000)).toBe(true);

    const next = await startLocalCluster({ directory: bound, brokers: 1, keepRunning: false });
    expect(next.isReused).toBe(false);
    await next.stop();
    expect(isGone()).toBe(true);
    expect(existsSync(bound)).toBe(false);
  });
});
