import { describe, expect, it } from 'vitest';
import { configTable } from '../../src/config/config-table.ts';
import { formatDuration, parseDurationMs } from '../../src/config/duration.ts';
import { nearestName } from '../../src/config/nearest-name.ts';
import { SETTINGS } from '../../src/config/settings.ts';

describe('SETTINGS', () => {
  it('names each variable after its path', () => {
    const envOf = (name: string) => SETTINGS.find((setting) => setting.name === name)?.env;
    expect(envOf('trial.windowMs')).toBe('PLIMSOLL_TRIAL_WINDOW_MS');
    expect(envOf('load.maxMegabytesPerSecond')).toBe('PLIMSOLL_LOAD_MAX_MEGABYTES_PER_SECOND');
    expect(envOf('home')).toBe('PLIMSOLL_HOME');
  });
});

describe('configTable', () => {
  it('has a row for every setting', () => {
    const rows = configTable().trimEnd().split('\n');
    expect(rows).toHaveLength(SETTINGS.length + 2);
    expect(rows).toContain(
      '| `trial.windowMs` | 15s | ms | `--window` | `PLIMSOLL_TRIAL_WINDOW_MS` | length of the measured window |',
    );
    expect(rows.filter((row) => row.split(' | ').length !== 6 && !row.startsWith('|---'))).toEqual([]);
  });
});

describe('parseDurationMs', () => {
  it.each([
    { text: '15s', durationMs: 15_000, why: 'seconds' },
    { text: '500ms', durationMs: 500, why: 'milliseconds' },
    { text: '1.5m', durationMs: 90_000, why: 'part of a minute' },
    { text: '1 H', durationMs: 3_600_000, why: 'space and capital' },
    { text: 250, durationMs: 250, why: 'a bare number is ms' },
    { text: '250', durationMs: 250, why: 'also as text' },
    { text: '-1s', durationMs: null, why: 'time does not run backwards' },
    { text: '1d', durationMs: null, why: 'unknown unit' },
    { text: '', durationMs: null, why: 'nothing' },
    { text: true, durationMs: null, why: 'not a duration at all' },
  ])('reads $text: $why', ({ text, durationMs }) => {
    expect(parseDurationMs(text)).toBe(durationMs);
  });

  it.each([0, 1, 500, 1_500, 15_000, 60_000, 90_000])('reads back what it wrote: %d', (durationMs) => {
    expect(parseDurationMs(formatDuration(durationMs))).toBe(durationMs);
  });
});

describe('nearestName', () => {
  it.each([
    { typed: 'windowMS', near: 'trial.windowMs', why: 'case only' },
    { typed: 'bootstap', near: 'bootstrap', why: 'a letter missing' },
    { typed: 'zzzzzz', near: null, why: 'nothing alike' },
  ])('$typed: $why', ({ typed, near }) => {
    expect(
      nearestName(
        typed,
        SETTINGS.map(({ name }) => name),
      ),
    ).toBe(near);
  });
});
