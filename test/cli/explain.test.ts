import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EXIT_NOT_REPRODUCED } from '../../src/cli/exit-status.ts';
import { addExplainCommand } from '../../src/cli/explain.ts';
import { recordedSearch } from '../boundary/search/recorded-search.ts';
import { sampleEvidence, sampleRun } from '../store/sample-trial.ts';
import { useTemporaryStores } from '../store/temporary-stores.ts';

const stores = useTemporaryStores();
let printed = '';

beforeEach(() => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

async function explain(...args: string[]): Promise<void> {
  const program = new Command('plimsoll').exitOverride();
  addExplainCommand(program);
  await program.parseAsync(['explain', ...args, '--home', stores.home], { from: 'user' });
}

/** A run in the store, of a search that ended or was cut off; `strategy` as its configuration has it. */
function storedRun({
  strategy = 'adaptive',
  mostEvents = Number.POSITIVE_INFINITY,
  np = (planned: number) => planned,
} = {}) {
  const store = stores.open();
  const { config, events, trials, isFinished } = recordedSearch(
    strategy === 'adaptive' ? 'adaptive' : 'bisection',
    mostEvents,
  );
  const runId = store.createRun({
    ...sampleRun(),
    configuration: strategy === '' ? {} : { strategy },
    searchConfig: config,
  });
  const left = [...trials];
  for (const event of events) {
    if (event.type === 'probeFinished') store.appendEvent(runId, event);
    else {
      const record = left.shift();
      if (record) {
        const plan = { ...record.plan, np: np(record.plan.np) };
        store.recordTrial(runId, { ...record, plan }, sampleEvidence(1), event);
      }
    }
  }
  store.endRun(runId, isFinished ? 'finished' : 'interrupted');
  return { runId, trials, events };
}

describe('plimsoll explain', () => {
  it('prints one line per decision, and that all of them were reproduced', async () => {
    const { runId, trials, events } = storedRun();
    await explain(runId);
    const lines = printed.trimEnd().split('\n');
    expect(lines[0]).toBe(`run ${runId}, finished, strategy adaptive; times are UTC`);
    expect(lines).toHaveLength(events.length + 2);
    expect(lines.find((line) => line.startsWith('#1 '))).toMatch(
      /^#1 {4}12:03:01 {2}np \d+ of \d+ k?B: .* -> (sustained|overloaded) \(.*\)$/,
    );
    expect(lines.filter((line) => line.startsWith('#'))).toHaveLength(trials.length);
    expect(lines.at(-1)).toBe(`every one of the ${events.length} decisions was reproduced`);
    expect(process.exitCode).toBeUndefined();
  });

  it('shows the decision that is due in a run that was cut off', async () => {
    const { runId } = storedRun({ mostEvents: 4 });
    await explain(runId);
    const lines = printed.trimEnd().split('\n');
    expect(lines.at(-2)).toMatch(/^next {12}np \d+ of /);
    expect(lines.at(-1)).toMatch(/every one of the 4 decisions was reproduced; the run was cut off/);
  });

  it('names the load where the sentence does not, for a run from before there was a choice', async () => {
    await explain(storedRun({ strategy: '' }).runId);
    expect(printed).toContain('strategy bisection');
    expect(printed).toMatch(/#1 .* np \d+ of 1 kB: no overload seen yet -> /);
  });

  it('ends with another status when a decision comes out otherwise', async () => {
    await explain(storedRun({ np: (planned) => planned + 1 }).runId);
    expect(printed).toMatch(/\nnot reproduced: trial #1 ran np .*\n$/);
    expect(process.exitCode).toBe(EXIT_NOT_REPRODUCED);
  });

  it('tells machines the same', async () => {
    const { runId, events } = storedRun();
    await explain(runId, '--json');
    const journal = JSON.parse(printed);
    expect(journal).toMatchObject({ runId, isReproduced: true, difference: null, pending: { type: 'done' } });
    expect(journal.entries).toHaveLength(events.length);
    expect(journal.entries.at(-1).command.why).toEqual(expect.any(String));
  });

  it('does not know a run that is not there', async () => {
    await expect(explain('nope')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    stores.open();
    await expect(explain('nope')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  });

  it.each([
    { why: 'an event that is none', event: null, searchConfig: recordedSearch('adaptive', 1).config },
    { why: 'no configuration', event: { type: 'probeFinished' }, searchConfig: {} },
  ])('says that a record is damaged: $why', async ({ event, searchConfig }) => {
    const store = stores.open();
    const runId = store.createRun({ ...sampleRun(), configuration: { strategy: 'adaptive' }, searchConfig });
    store.appendEvent(runId, event);
    await expect(explain(runId)).rejects.toThrow(
      `run ${runId} cannot be gone through again, its record is damaged`,
    );
  });
});
