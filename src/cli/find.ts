import type { Command } from 'commander';
import { addConfigFlags } from '../config/config-flags.ts';
import { processEnvironment } from '../config/environment.ts';
import { isGiven, loadConfig } from '../config/load-config.ts';
import type { Config } from '../config/schema.ts';
import type { RerunRequest } from '../controller/prepare-run.ts';
import { PlimsollError } from '../errors.ts';
import type { Simulation } from '../simulate/read-simulation.ts';
import { withoutRealCluster } from '../simulate/real-settings.ts';
import { openStore } from '../store/store.ts';
import { exitStatusOf } from './exit-status.ts';
import { onInterrupt } from './interrupt.ts';
import { withLocalCluster } from './local-defaults.ts';
import { resumeConfig } from './resume-config.ts';
import { runFind } from './run-find.ts';
import { refuseRealFlags, refuseSimulated, simulationOf } from './simulate-flags.ts';

interface FindFlags {
  readonly resume?: string;
  readonly rerun?: string;
  readonly simulate?: string;
  readonly json?: boolean;
  readonly out?: string;
}

/** Adds `plimsoll find`, the main job. */
export function addFindCommand(program: Command): void {
  const command = program
    .command('find')
    .description('find the throughput boundary of a cluster: messages per second at each message size')
    .option('--resume <RUN>', 'go on with a run that was cut off; no finished trial is repeated')
    .option('--rerun <RUN>', 'check with few trials what an earlier run found: its id, or `last`')
    .option(
      '--simulate <FILE>',
      'try it on a simulated cluster that a file describes; no Kafka, takes seconds',
    )
    .option('--json', 'one JSON object per line for machines, the result last')
    .option('--out <FOLDER>', 'folder of the report (default: runs/<run> in the home folder)');
  addConfigFlags(command).action(async () => {
    const flags: FindFlags & Record<string, unknown> = command.opts();
    const target = targetOf(flags);
    const interrupt = target.simulation ? onInterrupt('the simulation ends') : onInterrupt();
    try {
      const { document } = await runFind({
        ...target,
        resume: flags.resume ?? null,
        rerun: rerunOf(flags),
        isJson: flags.json === true,
        out: flags.out ?? null,
        signal: interrupt.signal,
      });
      process.exitCode = exitStatusOf(document.points);
    } finally {
      interrupt.release();
    }
  });
}

function rerunOf(flags: FindFlags & Record<string, unknown>): RerunRequest | null {
  if (flags.rerun === undefined) return null;
  if (flags.resume !== undefined) {
    throw new PlimsollError(
      'CONFIG_INVALID',
      '--rerun starts a new run and --resume goes on with an old one: give one of them',
    );
  }
  return { run: flags.rerun, hasSizes: isGiven({ env: processEnvironment(), flags }, 'bpm') };
}

/** What is measured: a real cluster, or a simulated one. */
function targetOf(flags: FindFlags & Record<string, unknown>): {
  readonly config: Config;
  readonly simulation: Simulation | null;
} {
  if (flags.simulate !== undefined) refuseRealFlags(flags);
  const config = loadConfig({ env: processEnvironment(), flags });
  if (flags.simulate === undefined) return { config: configOf(flags, config), simulation: null };
  return { config: withoutRealCluster(config), simulation: simulationOf(flags.simulate, flags, config) };
}

function configOf(flags: FindFlags, config: Config): Config {
  if (flags.resume === undefined) return withLocalCluster(config);
  const store = openStore(config.home);
  try {
    const { configuration, environment } = store.run(flags.resume);
    refuseSimulated(flags.resume, environment);
    return resumeConfig(configuration, config);
  } finally {
    store.close();
  }
}
