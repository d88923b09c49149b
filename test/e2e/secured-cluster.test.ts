import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunDocument } from '../../boundary/run-document.ts';
import type { LocalCluster } from '../../src/local-cluster/local-cluster.ts';
import { startLocalCluster } from '../../src/local-cluster/start-local-cluster.ts';
import { plimsoll, processesOf } from './plimsoll-command.ts';

let folder: string;
let cluster: LocalCluster;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-secured-'));
  cluster = await startLocalCluster({
    directory: join(folder, 'cluster'),
    brokers: 1,
    keepRunning: false,
    clients: { kind: 'secured' },
  });
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A short search that comes in by the secured listener alone. */
function search(mark: string, change: Readonly<Record<string, string>> = {}) {
  const client = Object.entries({ ...cluster.clients?.properties, ...change });
  const pages = Object.entries(cluster.metricsUrls).map(([id, url]) => `${id}=${url}`);
  const args = ['--json', '--bpm', '1kB', '--window', '6s', '--max-trials', '2'];
  args.push('--bootstrap', cluster.clients?.bootstrap ?? '', '--metrics', pages.join());
  args.push('--topic-config', 'flush.messages=1', '--replica-lag-time-max', '4s');
  args.push(...client.flatMap(([name, value]) => ['--client', `${name}=${value}`]));
  return plimsoll(['find', ...args], folder, mark);
}

describe('a cluster behind TLS and SCRAM (SASL_SSL)', () => {
  it('is measured like any other, and its password is nowhere in what is told', async () => {
    const { stdout, stderr } = await search('secured');
    const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}');
    expect(last.type, stderr).toBe('result');
    const { trials }: RunDocument = last.document;
    expect(trials.some(({ verdict }) => verdict.kind !== 'invalid')).toBe(true);
    expect(trials[0]?.ackedPerSecond).toBeGreaterThan(0);
    expect(stdout + stderr).not.toContain(cluster.clients?.properties['sasl.password']);
    expect(processesOf('secured')).toEqual([]);
  });

  it.each<readonly [why: string, change: Readonly<Record<string, string>>, says: RegExp]>([
    ['the password is wrong', { 'sasl.password': 'wrong' }, /authentication/i],
    [
      'the certificate is nobody’s',
      { 'ssl.ca.location': '/etc/ssl/certs/ca-certificates.crt' },
      /certificate/i,
    ],
  ])('says in one line what is wrong: %s', async (why, change, says) => {
    const { status, stderr } = await search(why, change);
    expect(status).toBe(69);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(says);
  });
});
