#!/usr/bin/env node
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { addConfigFlags } from '../config/config-flags.ts';
import { processEnvironment } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import { QUEUE_NAMESPACE } from '../controller/open-session.ts';
import { ERROR_EXIT_CODES, messageOf, PlimsollError, systemFailure } from '../errors.ts';
import { packageVersion } from '../package-version.ts';
import { printable } from '../printable.ts';
import { addClusterCommand } from './cluster.ts';
import { addDemoCommand } from './demo.ts';
import { addDoctorCommand } from './doctor.ts';
import { doctorTarget } from './doctor-target.ts';
import { addExplainCommand } from './explain.ts';
import { addFindCommand } from './find.ts';
import { guardOutput } from './output.ts';
import { addRunsCommand } from './runs.ts';
import { addWorkerCommand } from './worker.ts';

/** The command line: the one place that knows every part. */
function makeProgram(): Command {
  const program = new Command('plimsoll')
    .description('find how much an Apache Kafka cluster, and each of its brokers, can take')
    .version(packageVersion())
    .showHelpAfterError('(see plimsoll --help)')
    .configureHelp({ sortSubcommands: false });
  addFindCommand(program);
  addDemoCommand(program);
  const doctor = addDoctorCommand(program, {
    target: doctorTarget,
    write: (text) => process.stdout.write(text),
    columns: process.stdout.isTTY ? process.stdout.columns : null,
    setExitCode: (status) => {
      process.exitCode = status;
    },
  });
  addConfigFlags(doctor);
  addClusterCommand(program);
  addWorkerCommand(program, () => {
    const config = loadConfig({ env: processEnvironment(), flags: {} });
    const url = config.redis.url;
    return {
      home: join(config.home, 'redis'),
      namespace: QUEUE_NAMESPACE,
      ...(url === null ? {} : { redisUrl: url }),
    };
  });
  addRunsCommand(program);
  addExplainCommand(program);
  throwInsteadOfExit(program);
  return program;
}

/** Subcommands of subcommands too: commander would end the program itself, with its own status. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExit(child);
}

async function main(): Promise<void> {
  try {
    await makeProgram().parseAsync();
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** One line for everything that can go wrong; a stack only for what should not happen. */
function report(thrown: unknown): number {
  if (thrown instanceof CommanderError) {
    return thrown.exitCode === 0 ? 0 : ERROR_EXIT_CODES.CONFIG_INVALID;
  }
  const error = systemFailure(thrown) ?? thrown;
  if (error instanceof PlimsollError) {
    process.stderr.write(`plimsoll: ${error.message.split('\n').map(printable).join('\n')}\n`);
    if (error.code === 'INTERNAL' && error.cause instanceof Error)
      process.stderr.write(`${error.cause.stack}\n`);
    return error.exitCode;
  }
  process.stderr.write(
    `plimsoll: ${printable(messageOf(error))}\n${error instanceof Error ? error.stack : ''}\n`,
  );
  return ERROR_EXIT_CODES.INTERNAL;
}

guardOutput(process.stdout, process.stderr);
await main();
