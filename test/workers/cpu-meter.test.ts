import { describe, expect, it } from 'vitest';
import { type CpuSource, openCpuMeter, parseHostTime, readThreads } from '../../workers/cpu-meter.ts';

const SECOND_NS = 1e9;

interface Moment {
  readonly atMs: number;
  readonly cpuMs: number;
  /** Seconds of each thread: run, then wait. */
  readonly threads?: Readonly<Record<string, readonly [number, number]>>;
  readonly host?: readonly [idle: number, total: number];
}

/** A meter that sees one moment after the other. */
function meterOver(...moments: readonly Moment[]) {
  const left = [...moments];
  let now = left.shift() as Moment;
  const source: CpuSource = {
    nowMs: () => now.atMs,
    cpuMs: () => now.cpuMs,
    threads: () =>
      now.threads
        ? new Map(
            Object.entries(now.threads).map(([id, [run, wait]]) => [
              id,
              { runNs: run * SECOND_NS, waitNs: wait * SECOND_NS },
            ]),
          )
        : null,
    host: () => (now.host ? { idle: now.host[0], total: now.host[1] } : null),
  };
  const meter = openCpuMeter(source);
  return {
    readNext: () => {
      now = left.shift() ?? now;
      return meter.read();
    },
  };
}

describe('the CPU meter', () => {
  it('sees a thread with time to spare', () => {
    const meter = meterOver(
      { atMs: 0, cpuMs: 0, threads: { a: [5, 1], b: [1, 0] }, host: [100, 1_000] },
      { atMs: 1_000, cpuMs: 400, threads: { a: [5.3, 1.1], b: [1.1, 0] }, host: [150, 1_200] },
    );
    const figures = meter.readNext();
    expect(figures.cpuCores).toBeCloseTo(0.4);
    expect(figures.busiestThreadRatio).toBeCloseTo(0.4);
    expect(figures.cpuWaitRatio).toBeCloseTo(0.1);
    expect(figures.hostIdleRatio).toBeCloseTo(0.25);
  });

  it('tells a thread that is held back by a quota: it uses a tenth of a core, and has no time to spare', () => {
    const meter = meterOver(
      { atMs: 0, cpuMs: 0, threads: { a: [0, 0] } },
      { atMs: 2_000, cpuMs: 200, threads: { a: [0.2, 1.79] } },
    );
    expect(meter.readNext()).toMatchObject({ cpuCores: 0.1, busiestThreadRatio: 0.995, cpuWaitRatio: 0.895 });
  });

  it('reads on from the reading before, and counts a new thread from its start', () => {
    const meter = meterOver(
      { atMs: 0, cpuMs: 0, threads: { a: [0, 0] } },
      { atMs: 1_000, cpuMs: 900, threads: { a: [0.9, 0] } },
      { atMs: 2_000, cpuMs: 1_500, threads: { a: [0.9, 0], late: [0.6, 0.2] } },
    );
    expect(meter.readNext().busiestThreadRatio).toBeCloseTo(0.9);
    const second = meter.readNext();
    expect(second.cpuCores).toBeCloseTo(0.6);
    expect(second.busiestThreadRatio).toBeCloseTo(0.8);
  });

  it('makes nothing of a moment: after a stall two seconds may fall due at once', () => {
    const meter = meterOver(
      { atMs: 0, cpuMs: 0, threads: { a: [0, 0] } },
      { atMs: 2_000, cpuMs: 500, threads: { a: [0.5, 0.5] } },
      { atMs: 2_001, cpuMs: 501, threads: { a: [0.501, 0.5] } },
    );
    const first = meter.readNext();
    expect(first.busiestThreadRatio).toBeCloseTo(0.5);
    expect(meter.readNext()).toEqual(first);
  });

  it('claims nothing that the system does not tell', () => {
    const meter = meterOver({ atMs: 0, cpuMs: 0 }, { atMs: 1_000, cpuMs: 250 });
    expect(meter.readNext()).toEqual({ cpuCores: 0.25 });
  });

  it('never tells more than all of the time', () => {
    const meter = meterOver(
      { atMs: 0, cpuMs: 0, threads: { a: [0, 0] } },
      { atMs: 1_000, cpuMs: 100, threads: { a: [0.1, 1.4] } },
    );
    expect(meter.readNext()).toMatchObject({ busiestThreadRatio: 1, cpuWaitRatio: 1 });
  });
});

describe('the host', () => {
  it.each([
    [
      'cpu  10 0 20 60 10 0 0 0 5 0\ncpu0 1 2 3\n',
      { idle: 70, total: 100 },
      'guest time is part of user time',
    ],
    ['intr 5\n', null, 'no such line'],
    ['cpu  1 2 3\n', null, 'too few counts'],
  ])('row %#: %s', (text, expected, _why) => {
    expect(parseHostTime(text)).toEqual(expected);
  });
});

it.skipIf(process.platform !== 'linux')('sees the threads of this process', () => {
  expect(readThreads()?.get(String(process.pid))?.runNs).toBeGreaterThan(0);
});
