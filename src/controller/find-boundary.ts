import { arch, cpus, hostname, platform, release, totalmem } from 'node:os';
import type { RunDocument } from '../../boundary/run-document.ts';
import type { SearchConfig } from '../../boundary/search/search.ts';
import { maskedConfig } from '../config/masked-config.ts';
import { messageRecipe } from '../config/message-recipe.ts';
import type { Config } from '../config/schema.ts';
import { messageOf, PlimsollError } from '../errors.ts';
import { requireConsumerSettings } from '../kafka/consumer.ts';
import { connectKafka, type KafkaConnection, type KafkaMetadata } from '../kafka/kafka-connection.ts';
import { librdkafkaVersion, requireProducerSettings } from '../kafka/rdkafka.ts';
import { openStore, type Store } from '../store/store.ts';
import type { RunCluster } from '../store/stored-run.ts';
import { type BrokerDisks, DiskGuard, diskCeiling, diskShape } from './disk-guard.ts';
import { checkFleet } from './fleet-check.ts';
import { LoadTopics } from './load-topics.ts';
import { openSession } from './open-session.ts';
import { refuseOtherRun } from './other-run.ts';
import { prepareRun, type RerunRequest } from './prepare-run.ts';
import type { RunContext } from './run-context.ts';
import { asRunError } from './run-error.ts';
import type { RunObserver } from './run-event.ts';
import { runSearch } from './run-search.ts';
import { searchConfigOf } from './search-config.ts';
import { Teardown } from './teardown.ts';

const CONNECT_TIMEOUT_MS = 8_000;

export interface FindRequest {
  readonly config: Config;
  /** Go on with this run; its stored search settings hold, whatever the configuration says now. */
  readonly resume: string | null;
  /** Check what an earlier run found; not together with `resume`. */
  readonly rerun: RerunRequest | null;
  /** What is free on the brokers, where it can be seen. */
  readonly disks: BrokerDisks;
  readonly observe: RunObserver;
  /** Aborts on Ctrl-C: the run ends as interrupted and can be resumed. */
  readonly signal: AbortSignal;
  /** Told the run's id as soon as it has one. */
  readonly onRun: (runId: string) => void;
}

/**
 * Finds the boundary of a cluster at every size of the configuration: the main job, from connecting to the last point.
 * Every finished trial is in the database before the next starts; whatever ends the run, nothing is left running.
 *
 * @returns the run's document, also when points are wide or at least.
 * @throws PlimsollError with one line that says what to do; CANCELLED on Ctrl-C.
 */
export async function findBoundary(request: FindRequest): Promise<RunDocument> {
  const { config } = request;
  const store = openStore(config.home);
  const teardown = new Teardown();
  teardown.add(async () => store.close());
  try {
    const kafka = await connectKafka(clientOf(config, {}), CONNECT_TIMEOUT_MS);
    teardown.add(() => kafka.close());
    await requireProducerSettings(clientOf(config, config.producer), CONNECT_TIMEOUT_MS);
    if (config.consumers.groups > 0) {
      await requireConsumerSettings(clientOf(config, config.consumer), CONNECT_TIMEOUT_MS);
    }
    return await ownRun(request, store, kafka);
  } finally {
    await teardown.run();
  }
}

function clientOf(config: Config, settings: Config['producer']): Config['client'] {
  return { ...config.client, ...settings, 'bootstrap.servers': config.bootstrap.join(',') };
}

async function ownRun(request: FindRequest, store: Store, kafka: KafkaConnection): Promise<RunDocument> {
  const { brokers } = await kafka.metadata(CONNECT_TIMEOUT_MS);
  const { runId, config } = claim(request, store, brokers);
  request.onRun(runId);
  const cleanUp = new Teardown();
  try {
    await search({ ...request, config }, { store, kafka, runId, brokers, cleanUp });
    await cleanUp.run();
    store.endRun(runId, 'finished');
    return store.runDocument(runId);
  } catch (error) {
    await cleanUp.run();
    const ended = asRunError(error, request.signal, 'interrupted');
    try {
      store.endRun(runId, ended.code === 'CANCELLED' ? 'interrupted' : 'failed', messageOf(ended));
    } catch {
      // A run whose end could not be noted shows as interrupted; the user must hear of what ended it.
    }
    throw ended;
  }
}

/** The run, new or taken up again, with the configuration that it goes by. */
function claim(
  request: FindRequest,
  store: Store,
  brokers: KafkaMetadata['brokers'],
): { readonly runId: string; readonly config: Config } {
  const cluster = clusterOf(request.config, brokers);
  if (request.resume !== null) {
    claimStopped(request.resume, store, cluster.brokerIds);
    return { runId: request.resume, config: request.config };
  }
  const { config, former, environment } = prepareRun(request, store, cluster);
  const runId = store.createRun({
    cluster,
    configuration: maskedConfig(config),
    environment: { ...machineFacts(), ...environment },
    searchConfig: searchConfigOf(config, former),
  });
  return { runId, config };
}

function clusterOf({ bootstrap }: Config, brokers: KafkaMetadata['brokers']): RunCluster {
  return {
    bootstrap,
    brokerAddresses: brokers.map(({ host, port }) => `${host}:${port}`).sort(),
    clusterId: null,
    brokerIds: brokers.map(({ id }) => id).sort((a, b) => a - b),
    kafkaVersion: null,
  };
}

function claimStopped(runId: string, store: Store, brokerIds: readonly number[]): void {
  const run = store.claimRun(runId);
  if (run.status === 'finished') {
    throw new PlimsollError('RUN_UNKNOWN', `run ${runId} is finished; see it with: plimsoll report ${runId}`);
  }
  if (run.cluster.brokerIds.join() === brokerIds.join()) return;
  const text = differentBrokers(runId, run.cluster.brokerIds, brokerIds);
  store.endRun(runId, 'interrupted', text);
  throw new PlimsollError('CONFIG_INVALID', text);
}

function differentBrokers(runId: string, then: readonly number[], now: readonly number[]): string {
  const missing = then.filter((id) => !now.includes(id));
  const remedy =
    missing.length > 0 ? `bring broker ${missing.join(', ')} back, or start a new run` : 'start a new run';
  return `run ${runId} measured brokers ${then.join(', ')}, the cluster now has ${now.join(', ')}: ${remedy}`;
}

interface Owned {
  readonly store: Store;
  readonly kafka: KafkaConnection;
  readonly runId: string;
  readonly brokers: Parameters<typeof openSession>[0]['brokers'];
  readonly cleanUp: Teardown;
}

async function search(request: FindRequest, owned: Owned): Promise<void> {
  const { config, observe, signal } = request;
  const { store, kafka, runId, brokers, cleanUp } = owned;
  const brokerIds = brokers.map(({ id }) => id).sort((a, b) => a - b);
  const shape = diskShape(config.topic, brokerIds.length, messageRecipe(config));
  const disks = new DiskGuard(shape, config.topic.diskBudgetBytes, request.disks);
  const topics = new LoadTopics({ kafka, store, config, runId, brokerIds, disks, observe });
  cleanUp.add(async () => void (await topics.dropAll()));
  const knownTopics = new Set(store.openTopics().map(({ name }) => name));
  await refuseOtherRun({ kafka, knownTopics, observe });
  const session = await openSession({
    runId,
    config,
    kafka,
    brokers,
    topics,
    observe,
    signal,
    teardown: cleanUp,
  });
  store.addEnvironment(runId, session.environment);
  const searchConfig = await withCeilings(request, session.context, store);
  await runSearch(session.context, store, searchConfig);
}

/** The search's settings under what the workers can offer and the disks can take; those of a resumed run stay as they are. */
async function withCeilings(
  { resume }: FindRequest,
  context: RunContext,
  store: Store,
): Promise<SearchConfig> {
  const { runId, queue, config, observe } = context;
  const stored = store.run(runId).searchConfig as SearchConfig;
  if (resume !== null) return stored;
  const fleet = checkFleet(await queue.workers(), { config, former: stored.former ?? [], observe });
  const disk = diskCeiling(context);
  const searchConfig: SearchConfig = { ...stored, disk, ...(fleet ? { fleet } : {}) };
  store.setSearchConfig(runId, searchConfig);
  return searchConfig;
}

function machineFacts(): Record<string, string> {
  const cpu = cpus();
  return {
    node: process.versions.node,
    librdkafka: librdkafkaVersion,
    system: `${platform()} ${release()} ${arch()}`,
    host: hostname(),
    cpu: `${cpu.length} x ${cpu[0]?.model.trim() ?? 'unknown'}`,
    memory: `${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
  };
}
