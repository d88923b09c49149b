import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CapacityRate } from '../../../boundary/fleet-capacity.ts';
import { CALIBRATED_SIZES } from '../../../workers/calibrate.ts';
import { calibrate, measureInChild } from '../../../workers/calibration.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-calibration-'));
const file = join(folder, 'new', 'calibration.json');
const DAY_MS = 24 * 3_600_000;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function expectPlausible(rates: readonly CapacityRate[]): void {
  expect(rates.map(({ messageBytes }) => messageBytes)).toEqual([...CALIBRATED_SIZES]);
  for (const { messageBytes, messagesPerSecond } of rates) {
    expect(messagesPerSecond, `${messageBytes} B`).toBeGreaterThan(20);
    expect(messagesPerSecond * messageBytes, `${messageBytes} B`).toBeLessThan(1e11);
  }
  const smallest = rates[0]?.messagesPerSecond ?? 0;
  const largest = rates.at(-1)?.messagesPerSecond ?? 0;
  expect(smallest).toBeGreaterThan(10 * largest);
}

async function calibrated(): Promise<{ readonly rates: readonly CapacityRate[]; readonly isNew: boolean }> {
  let isNew = false;
  const { rates, cores } = await calibrate(file, () => {
    isNew = true;
  });
  expect(cores).toBeGreaterThan(0);
  return { rates, isNew };
}

describe('what a machine can offer', () => {
  it("is measured with the producers of a trial against librdkafka's mock brokers, and kept for a day", async () => {
    const first = await calibrated();
    expect(first.isNew).toBe(true);
    expectPlausible(first.rates);
    expect(await calibrated()).toEqual({ rates: first.rates, isNew: false });
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...kept, atMs: Date.now() - DAY_MS - 1 }));
    expect((await calibrated()).isNew).toBe(true);
    writeFileSync(file, JSON.stringify({ ...kept, of: 'another machine' }));
    expect((await calibrated()).isNew).toBe(true);
    writeFileSync(file, '{"of":');
    expect((await calibrated()).isNew).toBe(true);
  });

  it('is measured once by workers that start together', async () => {
    rmSync(file);
    const both = await Promise.all([calibrated(), calibrated()]);
    expect(both.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(both[0]?.rates).toEqual(both[1]?.rates);
  });

  it("is measured for the generator alone, which is faster without Kafka's client", async () => {
    const alone = await measureInChild('generator');
    const { rates } = await calibrated();
    for (const [index, { messagesPerSecond }] of alone.entries()) {
      expect(messagesPerSecond).toBeGreaterThan(rates[index]?.messagesPerSecond ?? 0);
    }
  });
});
