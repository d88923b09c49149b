import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import { measureTrial } from '../../boundary/measure-trial.ts';
import { remainingWork } from '../../boundary/search/remaining.ts';
import {
  type RunProbe,
  type RunTrial,
  replay,
  type SearchConfig,
  type SearchEvent,
} from '../../boundary/search/search.ts';
import { type SearchState, STRATEGIES } from '../../boundary/search/strategies.ts';
import type { TrialPlan } from '../../boundary/trial.ts';
import type { Store } from '../store/store.ts';
import { Pace } from './pace.ts';
import type { RunContext } from './run-context.ts';
import { runProbe } from './run-probe.ts';
import { runTrial } from './run-trial.ts';

/**
 * Drives a search to its end: asks the strategy, runs what it wants, records the result, tells it. A run that was cut
 * off replays its events first and goes on with the command that was pending, so no finished trial is repeated.
 */
export async function runSearch(
  context: RunContext,
  store: Store,
  searchConfig: SearchConfig,
): Promise<readonly BoundaryPoint[]> {
  const strategy = STRATEGIES[context.config.strategy];
  const driver = new Driver(context, store, searchConfig);
  let state = replay(strategy, searchConfig, store.events(context.runId) as SearchEvent[]);
  for (;;) {
    for (const point of state.done) driver.savePoint(point);
    const command = strategy.ask(state);
    switch (command.type) {
      case 'runProbe':
        state = strategy.tell(state, await driver.probe(command, state));
        break;
      case 'runTrial':
        state = strategy.tell(state, await driver.trial(command, state));
        break;
      case 'done':
        return command.points;
    }
  }
}

/** Runs commands and records what comes of them before the search hears of it. */
class Driver {
  readonly #context: RunContext;
  readonly #store: Store;
  readonly #pace: Pace;
  #sequence: number;

  constructor(context: RunContext, store: Store, searchConfig: SearchConfig) {
    this.#context = context;
    this.#store = store;
    this.#pace = new Pace(searchConfig);
    this.#sequence = store.trials(context.runId).length;
  }

  async probe(command: RunProbe, state: SearchState): Promise<SearchEvent> {
    const { observe, runId } = this.#context;
    observe({ type: 'probeStarted', probe: command, etaSeconds: this.#eta(state) });
    const startedMs = performance.now();
    const steps = await runProbe(this.#context, command);
    this.#requireWhole();
    const seconds = (performance.now() - startedMs) / 1_000;
    this.#pace.tookProbe(seconds);
    const event: SearchEvent = { type: 'probeFinished', probeId: command.probeId, steps, seconds };
    this.#store.appendEvent(runId, event);
    return event;
  }

  async trial(command: RunTrial, state: SearchState): Promise<SearchEvent> {
    const { observe, runId } = this.#context;
    observe({ type: 'trialStarted', trial: command, etaSeconds: this.#eta(state) });
    const startedMs = performance.now();
    const startedAtMs = Date.now();
    const { evidence, verdict } = await runTrial(this.#context, planOf(command));
    this.#requireWhole();
    this.#sequence += 1;
    const record = measureTrial(evidence, verdict, {
      sequence: this.#sequence,
      startedAtMs,
      endedAtMs: Date.now(),
    });
    const seconds = (performance.now() - startedMs) / 1_000;
    this.#pace.tookTrial(seconds);
    const event: SearchEvent = {
      type: 'trialFinished',
      trialId: command.trialId,
      verdict,
      offeredPerSecond: record.offeredPerSecond,
      ackedPerSecond: record.ackedPerSecond,
      idleByBroker: record.idleByBroker,
      windowSeconds: record.windowSeconds,
      atSeconds: (record.endedAtMs - this.#store.run(runId).startedAtMs) / 1_000,
      seconds,
    };
    this.#store.recordTrial(runId, record, evidence, event);
    const after = STRATEGIES[this.#context.config.strategy].tell(state, event);
    observe({ type: 'trialFinished', record, etaSeconds: this.#eta(after) });
    return event;
  }

  /**
   * A trial that Ctrl-C cut short says nothing, and must not use up one of the repeats of its load: the same signal
   * reaches the workers, whose shards are then lost.
   */
  #requireWhole(): void {
    this.#context.signal.throwIfAborted();
  }

  savePoint(point: BoundaryPoint): void {
    const isNew = !this.#store
      .points(this.#context.runId)
      .some((saved) => saved.messageBytes === point.messageBytes);
    if (!isNew) return;
    this.#store.savePoint(this.#context.runId, point);
    this.#context.observe({ type: 'pointFinished', point });
  }

  #eta(state: SearchState): number {
    return this.#pace.etaSeconds(remainingWork(state));
  }
}

function planOf(command: RunTrial): TrialPlan {
  const { trialId, messageBytes, np, unitRate, warmUpMs, windowMs, purpose } = command;
  return { trialId, messageBytes, np, unitRate, warmUpMs, windowMs, purpose };
}
