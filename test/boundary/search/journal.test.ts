import { describe, expect, it } from 'vitest';
import { type RecordedSearch, replayJournal } from '../../../boundary/search/journal.ts';
import { recordedSearch } from './recorded-search.ts';

/** The recorded search with one of its trials planned otherwise. */
function changed(recorded: RecordedSearch, sequence: number, change: object): RecordedSearch {
  const trials = recorded.trials.map((record) =>
    record.sequence === sequence ? { ...record, plan: { ...record.plan, ...change } } : record,
  );
  return { ...recorded, trials };
}

describe.each(['adaptive', 'bisection'] as const)('the journal of %s', (strategy) => {
  it('makes every decision of a finished search again, each with its reason', () => {
    const recorded = recordedSearch(strategy);
    const { entries, pending, difference } = replayJournal(recorded);
    expect(difference).toBeNull();
    expect(pending?.type).toBe('done');
    expect(entries).toHaveLength(recorded.events.length);
    const whys = entries.flatMap((entry) => (entry.kind === 'trial' ? [entry.command.why] : []));
    expect(whys).toEqual(recorded.trials.map(({ why }) => why));
  });

  it('survives being written down and read', () => {
    const recorded = recordedSearch(strategy);
    const read = JSON.parse(JSON.stringify(recorded)) as RecordedSearch;
    expect(replayJournal(read)).toEqual(replayJournal(recorded));
  });

  it('ends with the decision that was due when the run was cut off', () => {
    const whole = replayJournal(recordedSearch(strategy));
    const cut = replayJournal(recordedSearch(strategy, 4));
    expect(cut.difference).toBeNull();
    expect(cut.entries).toEqual(whole.entries.slice(0, 4));
    expect(cut.pending).toEqual(whole.entries[4]?.command);
  });

  it.each([
    { change: { np: 7 }, part: /trial #2 ran np 7 x .* now np \d+ x .* \(np differ\)/, why: 'another load' },
    { change: { windowMs: 61_000 }, part: /for 61 s .* \(windowMs differ\)/, why: 'another window' },
  ])('names the first trial that differs: $why', ({ change, part }) => {
    const journal = replayJournal(changed(recordedSearch(strategy), 2, change));
    expect(journal.difference).toMatch(part);
    expect(journal.pending).toBeNull();
    const last = journal.entries.findLast((entry) => entry.kind === 'trial');
    expect(last?.kind === 'trial' && last.record.sequence).toBe(1);
  });

  it('does not take a search that ended early for one that it would end', () => {
    const cut = { ...recordedSearch(strategy, 4), isFinished: true };
    expect(replayJournal(cut).difference).toMatch(/the search ended here, now .* is decided/);
  });

  it('misses a trial that has an event only', () => {
    const recorded = recordedSearch(strategy);
    expect(replayJournal({ ...recorded, trials: recorded.trials.slice(1) }).difference).toMatch(/no record/);
  });

  it('notices a probe through other rates, and results of a search that went on for longer', () => {
    const recorded = recordedSearch(strategy);
    const [first] = recorded.events;
    const steps =
      first?.type === 'probeFinished'
        ? first.steps.map((one) => ({ ...one, unitRate: one.unitRate * 2 }))
        : [];
    const events = recorded.events.map((event, i) => (i === 0 ? { ...event, steps } : event));
    expect(replayJournal({ ...recorded, events } as RecordedSearch).difference).toMatch(/other rates/);
    const longer = { ...recorded, events: [...recorded.events, ...recorded.events.slice(-1)] };
    expect(replayJournal(longer).difference).toMatch(/now the end is decided/);
  });
});
