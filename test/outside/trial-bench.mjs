// Plimsoll's controller without its search: real workers, brokers and signals, one trial after the other.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const CONNECT_TIMEOUT_MS = 10_000;

/** Loads what a bench needs of a build. */
export async function importProgram(dist) {
  const modules = [
    'boundary/reconciliation.js',
    'src/config/load-config.js',
    'src/config/masked-config.js',
    'src/config/message-recipe.js',
    'src/controller/disk-guard.js',
    'src/controller/load-topics.js',
    'src/controller/open-session.js',
    'src/controller/run-trial.js',
    'src/controller/search-config.js',
    'src/controller/teardown.js',
    'src/kafka/kafka-connection.js',
    'src/local-cluster/start-local-cluster.js',
    'src/process/free-ports.js',
    'src/store/store.js',
  ];
  const loaded = await Promise.all(modules.map((file) => import(pathToFileURL(join(dist, file)))));
  return Object.assign({}, ...loaded);
}

/**
 * @param cluster bootstrap and metricsUrls.
 * @param flags settings by the names of flags, as commander gives them.
 * @param tell gets what a run says on the way.
 */
export async function openTrialBench(program, { cluster, flags = {}, tell = () => {} }) {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
  const metrics = Object.entries(cluster.metricsUrls).map(([id, url]) => `${id}=${url}`);
  const config = program.loadConfig({
    env: {},
    folder: home,
    flags: { bootstrap: cluster.bootstrap, metrics: metrics.join(), home, replicaLagTimeMax: '4s', ...flags },
  });
  const teardown = new program.Teardown();
  teardown.add(async () => rmSync(home, { recursive: true, force: true }));
  const store = program.openStore(home);
  teardown.add(async () => store.close());
  const abort = new AbortController();
  let onStage = () => {};
  const observe = (event) => {
    if (event.type === 'polled') onStage(event.stage);
    else if (event.type === 'step' || event.type === 'warning') tell(event.text);
  };
  try {
    const client = { ...config.client, 'bootstrap.servers': config.bootstrap.join() };
    const kafka = await program.connectKafka(client, CONNECT_TIMEOUT_MS);
    teardown.add(() => kafka.close());
    const { brokers } = await kafka.metadata(CONNECT_TIMEOUT_MS);
    const brokerIds = brokers.map(({ id }) => id).sort((a, b) => a - b);
    const runId = store.createRun({
      cluster: { bootstrap: config.bootstrap, clusterId: null, brokerIds, kafkaVersion: null },
      configuration: program.maskedConfig(config),
      environment: {},
      searchConfig: program.searchConfigOf(config),
    });
    const shape = program.diskShape(config.topic, brokerIds.length, program.messageRecipe(config));
    const disks = new program.DiskGuard(shape, config.topic.diskBudgetBytes, program.UNSEEN_DISKS);
    const topics = new program.LoadTopics({ kafka, store, config, runId, brokerIds, disks, observe });
    teardown.add(() => topics.dropAll());
    const { context } = await program.openSession({
      runId,
      config,
      kafka,
      brokers,
      topics,
      observe,
      signal: abort.signal,
      teardown,
    });
    let trials = 0;
    return {
      kafka,
      topics,
      context,
      /** Calls `act` once in the next trial, so many seconds into its window (negative: before it starts). */
      during: (atSeconds, act) => {
        onStage = (stage) => {
          if (stage === null || secondsIn(stage) < atSeconds) return;
          onStage = () => {};
          act();
        };
      },
      /** @param plan what differs from a light load. */
      trial: (plan) => {
        trials += 1;
        const light = { messageBytes: 1_000, np: 10, unitRate: 50, warmUpMs: 3_000, windowMs: 15_000 };
        return program.runTrial(context, { trialId: `t${trials}`, purpose: 'reference', ...light, ...plan });
      },
      close: () => {
        abort.abort();
        return teardown.run();
      },
    };
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

function secondsIn({ name, elapsedSeconds, plannedSeconds }) {
  return name === 'window' ? elapsedSeconds : elapsedSeconds - plannedSeconds;
}

/** `sustained`, `overloaded: delivery`, `invalid: quota`: a verdict as the verdict page names it. */
export function verdictName(verdict) {
  if (verdict.kind === 'sustained') return 'sustained';
  return `${verdict.kind}: ${verdict.kind === 'overloaded' ? verdict.rule : verdict.reason}`;
}
