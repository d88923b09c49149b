import type { Command } from 'commander';
import { processEnvironment } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';

export interface HomeFlags {
  readonly home?: string;
  readonly config?: string;
}

/** Adds `--home` and `--config` to a command that needs no other setting. */
export function withHome(command: Command): Command {
  return command
    .option('--home <FOLDER>', 'folder of the database and the reports (default: .plimsoll)')
    .option(
      '--config <FILE>',
      'settings file (default: plimsoll.yaml of the working folder, when there is one)',
    );
}

/** Finds the home folder as `find` does: file, then environment, then flag. */
export function homeOf({ home, config }: HomeFlags): string {
  return loadConfig({ env: processEnvironment(), flags: { home, config } }).home;
}
