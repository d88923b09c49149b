import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addConfigFlags, flagKey } from '../../src/config/config-flags.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { SETTINGS } from '../../src/config/settings.ts';

function parse(...args: string[]): Record<string, unknown> {
  const command = addConfigFlags(new Command('find')).exitOverride();
  command.configureOutput({ writeErr: () => undefined });
  return command.parse(args, { from: 'user' }).opts();
}

const configOf = (...args: string[]) => loadConfig({ env: {}, flags: parse(...args), folder: '/nowhere' });

describe('addConfigFlags', () => {
  it('keeps no defaults, so that lower sources are not hidden', () => {
    expect(parse()).toEqual({});
  });

  it.each([
    { why: 'a plain one', args: ['--window', '20s'], holds: { trial: { windowMs: 20_000 } } },
    {
      why: 'a repeated one',
      args: ['--producer', 'linger.ms=5', '--producer', 'acks=all'],
      holds: { producer: { 'linger.ms': 5, acks: 'all' } },
    },
    { why: 'a list', args: ['--bpm', '1kB,100'], holds: { bpm: [100, 1_000] } },
    { why: 'the home', args: ['--home', '/data'], holds: { home: '/data' } },
  ])('carries $why into the configuration', ({ args, holds }) => {
    expect(configOf(...args)).toMatchObject(holds);
  });

  it('has a flag for every setting, each once, and finds it again in the parsed options', () => {
    const flags = SETTINGS.map(({ flag }) => flag);
    expect(new Set(flags).size).toBe(flags.length);
    for (const flag of flags) expect(parse(`--${flag}`, 'x')).toHaveProperty(flagKey(flag));
  });

  it('shows meaning, unit and default in the help', () => {
    const help = addConfigFlags(new Command('find')).helpInformation().replace(/\s+/g, ' ');
    expect(help).toContain('--window <DURATION> length of the measured window (default: 15s)');
    expect(help).toContain(
      '--bpm <SIZES> message sizes to find the limit at, for example 100,1kB,10kB; 100..1MB picks the sizes that the curve needs (default: 100 B, 1 kB, 10 kB)',
    );
    expect(help).toContain('(repeatable, default: acks=1, linger.ms=10,');
  });

  it('leaves the hint on a mistyped flag on', () => {
    expect(() => parse('--windw', '5s')).toThrow(/Did you mean --window/);
  });
});
