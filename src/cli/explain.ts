import type { Command } from 'commander';
import { type Journal, replayJournal } from '../../boundary/search/journal.ts';
import type { SearchConfig, SearchEvent } from '../../boundary/search/search.ts';
import { messageOf, PlimsollError } from '../errors.ts';
import { hasStore, openStore, type Store } from '../store/store.ts';
import { strategyOf } from '../store/strategy-of.ts';
import { EXIT_NOT_REPRODUCED } from './exit-status.ts';
import { hangingText } from './hanging-text.ts';
import { type HomeFlags, homeOf, withHome } from './home.ts';
import { journalLines, journalVerdict } from './journal-text.ts';
import { namedRun } from './named-run.ts';

/** Adds `plimsoll explain`: why a run did what it did, each decision made again from what was known then. */
export function addExplainCommand(program: Command): void {
  withHome(
    program
      .command('explain')
      .description('tell why each trial of a run was run; makes every decision again'),
  )
    .argument('<RUN>', 'id of the run, as `plimsoll runs` shows it, or `last`')
    .option('--json', 'one JSON document for machines')
    .action((wanted: string, flags: HomeFlags & { readonly json?: boolean }) => {
      const home = homeOf(flags);
      if (!hasStore(home))
        throw new PlimsollError('RUN_UNKNOWN', `there are no runs in ${home}; check --home`);
      const store = openStore(home);
      try {
        const runId = namedRun(store, wanted);
        const { journal, text } = explained(store, runId, flags.json === true);
        process.stdout.write(text);
        if (journal.difference !== null) process.exitCode = EXIT_NOT_REPRODUCED;
      } finally {
        store.close();
      }
    });
}

/** @throws PlimsollError STORE_FAILED for a record that no search has written. */
function explained(store: Store, runId: string, isJson: boolean): { journal: Journal; text: string } {
  try {
    const journal = journalOf(store, runId);
    return { journal, text: isJson ? journalJson(runId, journal) : journalText(store, runId, journal) };
  } catch (cause) {
    if (cause instanceof PlimsollError) throw cause;
    const text = `run ${runId} cannot be gone through again, its record is damaged: ${messageOf(cause)}`;
    throw new PlimsollError('STORE_FAILED', text, { cause });
  }
}

function journalOf(store: Store, runId: string): Journal {
  const run = store.run(runId);
  return replayJournal({
    strategy: strategyOf(run.configuration),
    config: run.searchConfig as SearchConfig,
    events: store.events(runId) as SearchEvent[],
    trials: store.trials(runId),
    isFinished: run.status === 'finished',
  });
}

function journalText(store: Store, runId: string, journal: Journal): string {
  const { status, configuration } = store.run(runId);
  const columns = process.stdout.isTTY ? process.stdout.columns : null;
  const head = `run ${runId}, ${status}, strategy ${strategyOf(configuration)}; times are UTC`;
  const lines = journalLines(journal).map(({ lead, text }) => hangingText(lead, text, columns));
  return `${[head, ...lines, journalVerdict(journal)].join('\n')}\n`;
}

function journalJson(runId: string, journal: Journal): string {
  return `${JSON.stringify({ runId, isReproduced: journal.difference === null, ...journal }, null, 2)}\n`;
}
