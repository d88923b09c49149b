import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunDocument } from '../../boundary/run-document.ts';
import { openSearch } from '../../boundary/search/strategies.ts';
import { CURVE_FAMILIES } from '../../boundary/simulator/idle-curve.ts';
import { type Config, configSchema } from '../../src/config/schema.ts';
import type { RunEvent } from '../../src/controller/run-event.ts';
import { type SimulateRequest, simulateBoundary } from '../../src/simulate/simulate-boundary.ts';
import { type SimulationSettings, simulationSchema } from '../../src/simulate/simulation-schema.ts';
import { openStore } from '../../src/store/store.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-simulated-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function simulate(
  settings: Partial<SimulationSettings> = {},
  config: Partial<Config> = {},
  request: Partial<SimulateRequest> = {},
) {
  return simulateBoundary({
    simulation: { name: 'test.yaml', settings: { ...simulationSchema.parse({}), ...settings } },
    config: { ...configSchema.parse({}), home, ...config },
    rerun: null,
    observe: () => undefined,
    signal: new AbortController().signal,
    onRun: () => undefined,
    ...request,
  });
}

/** What must be the same when a run is repeated: everything but its id and the hour. */
function found({ points, trials, run }: RunDocument) {
  const since = (ms: number | null) => (ms === null ? null : ms - run.startedAtMs);
  return {
    points,
    trials: trials.map((trial) => ({
      ...trial,
      startedAtMs: since(trial.startedAtMs),
      endedAtMs: since(trial.endedAtMs),
    })),
    took: since(run.finishedAtMs),
  };
}

describe('a simulated run', () => {
  it('finds the true limits, within intervals that are not too narrow', async () => {
    const { document, truths } = await simulate();
    expect(document.run.status).toBe('finished');
    expect(truths.map(({ messageBytes }) => messageBytes)).toEqual([100, 1_000, 10_000]);
    document.points.forEach(({ estimate }, index) => {
      expect(Math.abs((estimate ?? 0) / (truths[index]?.messagesPerSecond ?? 1) - 1)).toBeLessThan(0.1);
    });
  });

  it('is the same again, and another with another seed', async () => {
    const [first, second, other] = [await simulate(), await simulate(), await simulate({ seed: 2 })];
    expect(found(second.document)).toEqual(found(first.document));
    expect(found(other.document)).not.toEqual(found(first.document));
  });

  it.each(CURVE_FAMILIES)('ends with curve %s, by either strategy', async (curve) => {
    for (const strategy of ['adaptive', 'bisection'] as const) {
      const { document } = await simulate({ curve }, { strategy, bpm: [1_000] });
      expect(document.points.length).toBe(1);
    }
  });

  it('counts its own time: trials one after the other, ending with the run', async () => {
    const { document } = await simulate();
    const { startedAtMs, finishedAtMs } = document.run;
    let before = startedAtMs;
    for (const trial of document.trials) {
      expect(trial.startedAtMs).toBeGreaterThanOrEqual(before - 1);
      expect(trial.endedAtMs - trial.startedAtMs).toBeGreaterThanOrEqual(1_000 * trial.windowSeconds);
      before = trial.endedAtMs;
    }
    expect(finishedAtMs).toBe(before);
    expect(before - startedAtMs).toBeGreaterThan(120_000);
  });

  it('is marked as simulated in the store, with what it was and without what it was not', async () => {
    const { document } = await simulate({ brokers: 5 });
    const store = openStore(home);
    const run = store.run(document.run.runId);
    expect(run.cluster).toMatchObject({ clusterId: 'simulated:test.yaml', brokerIds: [1, 2, 3, 4, 5] });
    expect(run.environment.simulated).toBe('test.yaml');
    expect(run.configuration).toMatchObject({ simulation: { brokers: 5 }, strategy: 'adaptive' });
    expect(run.configuration).not.toHaveProperty('bootstrap');
    expect(store.evidence(document.run.runId, 1)).toBeNull();
    store.close();
  });

  it('leaves a log that leads to the same points again', async () => {
    const { document } = await simulate({ invalidShare: 0.2 });
    const store = openStore(home);
    const run = store.run(document.run.runId);
    const events = store.events(run.runId) as Parameters<typeof openSearch>[2];
    const replayed = openSearch('adaptive', run.searchConfig as Parameters<typeof openSearch>[1], events);
    const points = replayed.command.type === 'done' ? [...replayed.command.points] : [];
    expect(points.sort((a, b) => a.messageBytes - b.messageBytes)).toEqual(document.points);
    store.close();
  });

  it('tells probes, trials and points as they come, with the time to go', async () => {
    const events: RunEvent[] = [];
    const { document } = await simulate({}, {}, { observe: (event) => events.push(event) });
    const count = (type: RunEvent['type']) => events.filter((event) => event.type === type).length;
    expect(count('trialFinished')).toBe(document.trials.length);
    expect(count('trialStarted')).toBe(document.trials.length);
    expect(count('pointFinished')).toBe(3);
    const etas = events.flatMap((event) => ('etaSeconds' in event ? [event.etaSeconds] : []));
    expect(etas[0]).toBeGreaterThan(60);
    expect(etas.at(-1)).toBe(0);
  });

  it('holds a limit and finds that credits run out', async () => {
    const { document, truths } = await simulate(
      { curve: 'exp', noise: 0.2, outlierShare: 0, burst: { afterSeconds: 900, share: 0.6 } },
      { bpm: [1_000], holdMs: 1_800_000 },
    );
    const [point] = document.points;
    const [truth] = truths;
    expect(point?.hold?.drops.length).toBeGreaterThan(0);
    expect(point?.lower?.messagesPerSecond).toBeLessThan(1.05 * (truth?.lasting ?? 0));
    expect(point?.upper?.messagesPerSecond).toBeGreaterThan(truth?.lasting ?? Number.POSITIVE_INFINITY);
    expect(document.trials.some(({ heldSeconds }) => (heldSeconds ?? 0) > 0)).toBe(true);
  });

  it('checks an earlier run of the same file', async () => {
    const first = await simulate();
    const { document } = await simulate({}, {}, { rerun: { run: 'last', hasSizes: false } });
    expect(document.environment.rerunOf).toBe(first.document.run.runId);
    expect(document.trials.length).toBeLessThan(first.document.trials.length);
    const other = { simulation: { name: 'other.yaml', settings: simulationSchema.parse({}) } };
    await expect(
      simulate({}, {}, { ...other, rerun: { run: 'last', hasSizes: false } }),
    ).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  });

  it('ends as interrupted on Ctrl-C, keeping its trials', async () => {
    const controller = new AbortController();
    let runId = '';
    const interrupted = simulate(
      {},
      {},
      {
        signal: controller.signal,
        onRun: (id) => {
          runId = id;
        },
        observe: (event) => {
          if (event.type === 'trialFinished') controller.abort();
        },
      },
    );
    await expect(interrupted).rejects.toMatchObject({ code: 'CANCELLED' });
    const store = openStore(home);
    expect(store.run(runId).status).toBe('interrupted');
    expect(store.trials(runId).length).toBe(1);
    store.close();
  });
});
