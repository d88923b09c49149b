import type { Command } from 'commander';
import type { CheckResult, CheckStatus } from '../doctor/check-result.ts';
import { diagnose } from '../doctor/diagnose.ts';
import type { DoctorTarget } from '../doctor/doctor-target.ts';
import { printable } from '../printable.ts';
import { hangingText } from './hanging-text.ts';

export interface DoctorCommandDeps {
  /** Makes the target from the flags of the command (`command.opts()`). @throws PlimsollError CONFIG_INVALID */
  readonly target: (flags: Readonly<Record<string, unknown>>) => DoctorTarget | Promise<DoctorTarget>;
  readonly write: (text: string) => void;
  readonly setExitCode: (status: number) => void;
  /** Width of the terminal; null where nothing is to be wrapped. */
  readonly columns: number | null;
}

const MARKS: Readonly<Record<CheckStatus, string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' };
/** Longer names do not push the details of all other lines aside. */
const NAME_WIDTH = 30;

/**
 * Adds `plimsoll doctor`. Exit status 1 when any check fails.
 * @returns the command, for the flags of the configuration.
 */
export function addDoctorCommand(program: Command, deps: DoctorCommandDeps): Command {
  const command = program
    .command('doctor')
    .description(
      'check cluster, metrics pages, Redis, workers, disk and clocks before a run; says how to fix each',
    )
    .option('--json', 'one JSON document for machines');
  command.action(async () => {
    const flags: Readonly<Record<string, unknown>> = command.opts();
    const isJson = flags.json === true;
    const results: CheckResult[] = [];
    for await (const result of diagnose(await deps.target(flags))) {
      results.push(result);
      if (!isJson) deps.write(formatCheck(result, deps.columns));
    }
    const failures = results.filter(({ status }) => status === 'fail').length;
    deps.write(
      isJson ? `${JSON.stringify({ ok: failures === 0, checks: results }, null, 2)}\n` : summary(results),
    );
    if (failures > 0) deps.setExitCode(1);
  });
  return command;
}

/** One check as a line of the table, with its fix below; what a terminal of `columns` cannot hold goes on beneath itself. */
export function formatCheck({ status, name, detail, fix }: CheckResult, columns: number | null): string {
  const line = `${hangingText(`${MARKS[status]}  ${printable(name).padEnd(NAME_WIDTH)}  `, printable(detail), columns)}\n`;
  return fix === null
    ? line
    : `${line}${hangingText(`${' '.repeat(NAME_WIDTH + 8)}fix: `, printable(fix), columns)}\n`;
}

function summary(results: readonly CheckResult[]): string {
  const count = (status: CheckStatus): number => results.filter((result) => result.status === status).length;
  return `${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} failed\n`;
}
