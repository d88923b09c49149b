import { relative } from 'node:path';
import type { Command } from 'commander';
import { addConfigFlags } from '../config/config-flags.ts';
import { processEnvironment } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import { DEFAULT_BROKER_COUNT, DEFAULT_KAFKA_VERSION } from '../local-cluster/local-cluster.ts';
import { startLocalCluster } from '../local-cluster/start-local-cluster.ts';
import { clusterDirectory } from './cluster.ts';
import { exitStatusOf } from './exit-status.ts';
import { onInterrupt } from './interrupt.ts';
import { localConfig } from './local-defaults.ts';
import { runFind } from './run-find.ts';

/** Long enough to see a follower leave the ISR of the local cluster (1.5 x 4 s), short enough for a demo. */
const DEMO_WINDOW = '7s';

/** On a machine that drifts the demo ends with honest `wide` bounds in place of a long wait. */
const DEMO_MAX_TRIALS = 8;
const DEMO_TIME_BUDGET = '270s';

/** Seven-second windows on a shared machine repeat to about 5 % of the load; to ask for more would be luck. */
const DEMO_PRECISION = '10%';

/** Adds `plimsoll demo`: a real cluster, its boundary, the report; the cluster is gone afterwards. */
export function addDemoCommand(program: Command): void {
  const command = program
    .command('demo')
    .description('start a real 3-broker Kafka on this machine, find its boundary, show the report')
    .option('--kafka <VERSION>', 'Kafka version, 4.0.0 or later', DEFAULT_KAFKA_VERSION)
    .option('--json', 'one JSON object per line for machines, the result last');
  addConfigFlags(command).action(async () => {
    const flags: { readonly kafka: string; readonly json?: boolean } & Record<string, unknown> =
      command.opts();
    const config = loadConfig({
      env: processEnvironment(),
      flags: {
        window: DEMO_WINDOW,
        precision: DEMO_PRECISION,
        maxTrials: DEMO_MAX_TRIALS,
        timeBudget: DEMO_TIME_BUDGET,
        ...flags,
      },
    });
    const interrupt = onInterrupt();
    try {
      const cluster = await startLocalCluster({
        directory: clusterDirectory(config.home),
        kafkaVersion: flags.kafka,
        brokers: DEFAULT_BROKER_COUNT,
        keepRunning: false,
        onProgress: (line) => process.stderr.write(`${line}\n`),
        signal: interrupt.signal,
      });
      try {
        const startedMs = performance.now();
        const { document, files } = await runFind({
          config: localConfig(config, cluster),
          resume: null,
          rerun: null,
          isJson: flags.json === true,
          out: null,
          signal: interrupt.signal,
        });
        if (!flags.json) process.stdout.write(closing(performance.now() - startedMs, files.reportHtml));
        const isBracketed = document.points.every((point) => point.lower && point.upper);
        process.exitCode = isBracketed ? 0 : exitStatusOf(document.points);
      } finally {
        await cluster.stop();
      }
    } finally {
      interrupt.release();
    }
  });
}

function closing(searchMs: number, reportHtml: string): string {
  return [
    '',
    `The search took ${(searchMs / 60_000).toFixed(1)} min. Open the report: ${relative(process.cwd(), reportHtml)}`,
    "These are the demo's limits, not Kafka's: one handler thread per broker and an fsync for every batch make a",
    'small machine behave like a big one at its limit.',
    '',
  ].join('\n');
}
