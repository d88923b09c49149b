import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectKafka } from '../../src/kafka/kafka-connection.ts';
import { ensureAgentJars } from '../../src/local-cluster/agent-jars.ts';
import { nodePlace } from '../../src/local-cluster/cluster-layout.ts';
import type { LocalCluster } from '../../src/local-cluster/local-cluster.ts';
import { packageRoot } from '../../src/local-cluster/package-root.ts';
import { startLocalCluster } from '../../src/local-cluster/start-local-cluster.ts';
import { type Exposition, parseExposition, type Sample } from '../../src/signals/exposition.ts';
import type { HandlerChoice } from '../../src/signals/idle-choice.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';

/** Broker 1 has the one agent, broker 2 the other; an agent reads its rules again when the file changes. */
const AGENTS = ['1.0.1', '0.20.0'] as const;
const fixtures = join(packageRoot(), 'test', 'fixtures', 'exporter-rules');
const USER_RULES = join(packageRoot(), 'deploy', 'jmx-exporter', 'plimsoll.yaml');
const TOPIC = 't';
/** Labels whose values depend on the versions of client, JVM and node. */
const FREE_LABELS = ['version', 'id'];

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-rules-'));
let cluster: LocalCluster;

beforeAll(async () => {
  const { jmxExporter } = await ensureAgentJars();
  cluster = await startLocalCluster({
    directory: join(scratch, 'cluster'),
    brokers: AGENTS.length,
    keepRunning: false,
    exporters: AGENTS.map((agent) => ({ agentJar: jmxExporter[agent] })),
  });
  await loadEveryBroker();
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** Beans of a topic and of a request's version appear with the first message. */
async function loadEveryBroker(): Promise<void> {
  const kafka = await connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 10_000);
  const partitions = AGENTS.map((_, id) => id);
  await kafka.createTopic({ name: TOPIC, partitions: AGENTS.length, replicationFactor: 2, config: {} });
  await sleep(1_000);
  await kafka.sendBurst(TOPIC, partitions, 10_000);
  await kafka.close();
}

/** What a set-up yields by its documentation: signal, attribute, type, series; see README.md there. */
interface Yield {
  readonly attribute: string;
  readonly type: string;
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
}

function readYields(file: string): readonly Yield[] {
  const lines = readFileSync(join(fixtures, 'yields', file), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const match = /^\S+\s+(\S+)\s+(\S+)\s+([\w:]+)\{(.*)\}$/.exec(line);
    const [, attribute = '', type = '', name = '', labels = ''] = match ?? [];
    if (name === '') throw new Error(`${file}: cannot read "${line}"`);
    const pairs = [...labels.matchAll(/(\w+)='([^']*)'/g)];
    return { attribute, type, name, labels: new Map(pairs.map(([, key = '', value = '']) => [key, value])) };
  });
}

async function pageUnder(agent: (typeof AGENTS)[number], rulesFile: string): Promise<Exposition> {
  const id = AGENTS.indexOf(agent) + 1;
  copyFileSync(rulesFile, nodePlace(cluster.directory, 'broker', id).rulesFile);
  const text = await (await fetch(cluster.metricsUrls[id] ?? '')).text();
  const page = parseExposition(text, () => true);
  if (page.kind !== 'parsed') throw new Error(`line ${page.line}: ${page.kind}`);
  return page;
}

function isOf(sample: Sample, { name, labels }: Yield): boolean {
  if (sample.name !== name || sample.labels.size !== labels.size) return false;
  return [...labels].every(([key, value]) => {
    const found = sample.labels.get(key);
    return found !== undefined && (FREE_LABELS.includes(key) || found === value);
  });
}

function typeOf(page: Exposition, name: string): string {
  return page.types.get(name) ?? page.types.get(`${name}_total`) ?? 'none';
}

/** HELP tells the first series of a family only, so it can say something where the family has one attribute. */
function attributeOf(page: Exposition, sample: Sample): string {
  const objectName = sample.labels.get('_objectname');
  if (objectName !== undefined) return /<>(\w+)/.exec(objectName)?.[1] ?? 'none';
  const help = page.help.get(sample.name) ?? page.help.get(`${sample.name}_total`) ?? '';
  return /attribute=([\w-]+)/.exec(help)?.[1] ?? 'none';
}

const rulesFiles = [...readdirSync(fixtures).filter((name) => name.endsWith('.yaml')), USER_RULES];
const setUps = rulesFiles.flatMap((file) =>
  AGENTS.map((agent) => ({
    agent,
    name: basename(file, '.yaml'),
    file: file === USER_RULES ? file : join(fixtures, file),
  })),
);

describe('a real broker under the rules of a set-up', () => {
  for (const { agent, name, file } of setUps.filter(({ name, agent }) => hasYields(name, agent))) {
    it(`yields what the set-up is known to yield: ${name}, agent ${agent}`, async () => {
      const page = await pageUnder(agent, file);
      const yields = readYields(`${name}@${agent}.txt`);
      const attributesOf = new Map(
        yields.map((each) => [each.name, yields.filter((other) => other.name === each.name)]),
      );
      for (const wanted of yields) {
        const sample = page.samples.find((candidate) => isOf(candidate, wanted));
        expect(sample, `${wanted.name} ${[...wanted.labels]}`).toBeDefined();
        expect(typeOf(page, wanted.name), `type of ${wanted.name}`).toBe(wanted.type);
        const siblings = new Set(attributesOf.get(wanted.name)?.map(({ attribute }) => attribute));
        const isTold = siblings.size === 1 || wanted.labels.has('_objectname');
        if (sample === undefined || !isTold) continue;
        expect(attributeOf(page, sample).toLowerCase(), `attribute of ${wanted.name}`).toBe(
          wanted.attribute.toLowerCase(),
        );
      }
    });
  }
});

function hasYields(name: string, agent: string): boolean {
  return readdirSync(join(fixtures, 'yields')).includes(`${name}@${agent}.txt`);
}

describe('the idle of a real broker', () => {
  /** By set-up: what it leaves of the meter; the broker's own meter of 4.2 and later goes before the shared one. */
  const attributes: Record<string, readonly string[]> = {
    'default-norules': ['Count', 'MeanRate', 'OneMinuteRate', 'FiveMinuteRate', 'FifteenMinuteRate'],
    'jmx-example-kafka-2_0_0': ['Count', 'MeanRate'],
    'jmx-example-kafka-kraft-3_0_0': ['Count', 'MeanRate'],
    'strimzi-jmx': ['Count', 'MeanRate'],
    'confluent-jms': ['Count'],
    'cp-ansible': ['Count'],
    'cp-helm': ['OneMinuteRate'],
    bitnami: ['Count', 'OneMinuteRate'],
    koperator: ['Count', 'MeanRate', 'OneMinuteRate', 'FiveMinuteRate', 'FifteenMinuteRate'],
    plimsoll: ['Count', 'MeanRate', 'OneMinuteRate', 'FiveMinuteRate', 'FifteenMinuteRate'],
  };
  for (const { agent, name, file } of setUps) {
    it(`is found with its attributes: ${name}, agent ${agent}`, async () => {
      const { idle } = resolveSeries(await pageUnder(agent, file), name);
      expect(idle).toMatchObject({ kind: 'request handlers', pool: 'broker' });
      expect((idle as HandlerChoice).attributes).toEqual(attributes[name]);
    });
  }
});

describe('the rules for users', () => {
  for (const agent of AGENTS) {
    it(`show every signal of a broker, and who it is: agent ${agent}`, async () => {
      const { explanations, identity } = resolveSeries(await pageUnder(agent, USER_RULES), 'the page');
      expect(explanations.filter(({ isFound }) => !isFound)).toEqual([]);
      expect(identity).toMatchObject({
        brokerId: AGENTS.indexOf(agent) + 1,
        kafkaVersion: '4.4.0',
        isCombined: false,
      });
    });

    it(`show nothing by topic and little besides: agent ${agent}`, async () => {
      const page = await pageUnder(agent, USER_RULES);
      expect(page.samples.filter(({ labels }) => labels.has('topic'))).toEqual([]);
      const own = page.samples.filter(({ name }) => !/^(jvm|jmx|process)_/.test(name));
      expect(own.length).toBeLessThan(50);
    });
  }
});
