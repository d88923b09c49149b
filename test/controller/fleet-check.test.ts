import { describe, expect, it } from 'vitest';
import { checkFleet, type FleetRequest } from '../../src/controller/fleet-check.ts';
import type { WorkerInfo } from '../../src/queue/load-job.ts';

/** Per core: 40 MB/s of 100 B, 400 MB/s of 10 kB; 50 producers take 0.3 of a core to wake up. */
const rates = [
  { messageBytes: 100, messagesPerSecond: 400_000 },
  { messageBytes: 10_000, messagesPerSecond: 40_000 },
];

const worker = (name: string, capacity: WorkerInfo['capacity'] = { cores: 2, rates }): WorkerInfo => ({
  workerId: name,
  host: name,
  pid: 1,
  concurrency: 2,
  librdkafkaVersion: '2.12.0',
  capacity,
});

type Asked = Omit<Partial<FleetRequest['config']>, 'load'> & {
  readonly maxMegabytesPerSecond?: number;
  readonly former?: FleetRequest['former'];
};

function check(workers: readonly WorkerInfo[], { maxMegabytesPerSecond, former = [], ...asked }: Asked = {}) {
  const told: string[] = [];
  const load = { targetNp: 50, maxNp: 200, maxMegabytesPerSecond: maxMegabytesPerSecond ?? null, seed: 1 };
  const fleet = checkFleet(workers, {
    config: { bpm: [100, 10_000], producer: {}, client: {}, load, ...asked },
    former,
    observe: (event) => {
      if (event.type === 'step' || event.type === 'warning') told.push(`${event.type}: ${event.text}`);
    },
  });
  return { fleet, told };
}

describe('checkFleet', () => {
  it('says up to where the search can go, and makes that its ceiling', () => {
    const { fleet, told } = check([worker('a'), worker('b')]);
    expect(told).toEqual([
      'step: the workers can offer 150 MB/s of 100 B, 1.5 GB/s of 10 kB; no more is asked of them',
    ]);
    expect(fleet).toEqual({
      workers: 2,
      rates: [
        { messageBytes: 100, messagesPerSecond: expect.closeTo(1_480_000) },
        { messageBytes: 10_000, messagesPerSecond: expect.closeTo(148_000) },
      ],
    });
  });

  it('looks at both ends of a range of sizes', () => {
    const { told } = check([worker('a')], { bpm: { from: 100, to: 10_000 } });
    expect(told).toEqual([expect.stringContaining('68 MB/s of 100 B, 680 MB/s of 10 kB')]);
  });

  it.each([
    [{ maxMegabytesPerSecond: 68 }, [], 'all that may be asked for can be offered'],
    [
      { maxMegabytesPerSecond: 200 },
      [
        'warning: the workers can offer 68 MB/s of 100 B and not the 200 MB/s of load.maxMegabytesPerSecond: the search ends there; 2 more workers like them would do',
      ],
      'at one of the sizes',
    ],
    [
      { maxMegabytesPerSecond: 900 },
      [
        expect.stringMatching(/100 B .* 13 more workers/),
        expect.stringMatching(/10 kB .* 1 more worker like/),
      ],
      'at both',
    ],
  ])('warns where less can be offered than may be asked for: row %#', (asked, warnings, _why) => {
    expect(check([worker('a')], asked).told.slice(1)).toEqual(warnings);
  });

  it('says what the measurement leaves out', () => {
    const tls = { client: { 'security.protocol': 'sasl_ssl' }, producer: { 'compression.codec': 'zstd' } };
    expect(check([worker('a')], tls).told[0]).toMatch(
      /\(measured without TLS and compression, with which it is less\)$/,
    );
    const plain = { client: { 'security.protocol': 'plaintext' }, producer: { 'compression.codec': 'none' } };
    expect(check([worker('a')], plain).told[0]).not.toMatch(/measured/);
  });

  it('warns of a former limit that these workers cannot check', () => {
    const former = [
      { messageBytes: 100, estimate: 900_000, low: 850_000, high: 950_000 },
      { messageBytes: 10_000, estimate: 50_000, low: 45_000, high: 55_000 },
    ];
    expect(check([worker('a')], { former }).told.slice(1)).toEqual([
      'warning: the former limit at 100 B, 90 MB/s, is more than the workers can offer: 1 more worker like them would do',
    ]);
  });

  it('does not limit a search when nobody knows what a worker can offer', () => {
    const { fleet, told } = check([worker('a'), worker('b', null)], { maxMegabytesPerSecond: 1_000_000 });
    expect(fleet).toBeNull();
    expect(told).toEqual(['step: what the workers can offer is not known: b did not measure it']);
  });

  it('refuses a fleet that cannot even offer what a search starts with', () => {
    const weak = { cores: 0.049, rates };
    expect(() => check([worker('a', weak)])).toThrow(
      expect.objectContaining({
        code: 'WORKER_MISSING',
        message: expect.stringMatching(
          /^the workers can offer only 40 kB\/s of 100 B, less than the 50 kB\/s that a search starts with: give them more CPU, or add workers$/,
        ),
      }),
    );
  });
});
