import { type Command, Option } from 'commander';
import { formatInitial, SETTINGS, type Setting } from './settings.ts';

/**
 * Puts the flag of every setting, and `--config FILE`, on a command. Flags carry no defaults of their own, so that
 * `command.opts()` holds only what the user typed and can be laid over file and environment (`loadConfig`).
 */
export function addConfigFlags(command: Command): Command {
  command.option(
    '--config <FILE>',
    'settings file (default: plimsoll.yaml of the working folder, when there is one)',
  );
  for (const setting of SETTINGS) command.addOption(optionOf(setting));
  return command;
}

/** The key under which commander keeps a flag's value: `poll-interval` -> `pollInterval`. */
export function flagKey(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function optionOf(setting: Setting): Option {
  const initial = formatInitial(setting);
  const unit = setting.unit && !['ms', 'bytes'].includes(setting.unit) ? `${setting.unit}, ` : '';
  const repeat = setting.isProperties ? 'repeatable, ' : '';
  const option = new Option(
    `--${setting.flag} <${setting.value}>`,
    `${setting.description} (${repeat}${unit}default: ${initial})`,
  );
  if (setting.isProperties) {
    option.argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]);
  }
  return option;
}
