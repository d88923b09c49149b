import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import { fullHosts } from '../../boundary/full-hosts.ts';
import { measureTrial } from '../../boundary/measure-trial.ts';
import {
  planOf,
  type RunProbe,
  type RunTrial,
  type SearchConfig,
  type SearchEvent,
  type TrialFinished,
} from '../../boundary/search/search.ts';
import { openSearch, type RunningSearch } from '../../boundary/search/strategies.ts';
import type { TrialEvidence } from '../../boundary/trial.ts';
import { PlimsollError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { Pace } from './pace.ts';
import type { RunContext } from './run-context.ts';
import { runProbe } from './run-probe.ts';
import { runTrial } from './run-trial.ts';
import { withSignsOfLife } from './sign-of-life.ts';
import { fittedStepMs, fittedWindowMs } from './signal-timing.ts';
import { warnOnce } from './warn-once.ts';

/**
 * Drives a search to its end: asks the strategy, runs what it wants, records the result, tells it. A run that was cut
 * off replays its events first and goes on with the command that was pending, so no finished trial is repeated.
 */
export async function runSearch(
  context: RunContext,
  store: Store,
  searchConfig: SearchConfig,
): Promise<readonly BoundaryPoint[]> {
  const events = store.events(context.runId) as SearchEvent[];
  const pace = new Pace(searchConfig, context.timing);
  pace.catchUp(events, store.trials(context.runId));
  const driver = new Driver(context, store, pace);
  if (events.length > 0) context.observe({ type: 'goesOn', trials: store.trials(context.runId).length });
  let search = openSearch(context.config.strategy, searchConfig, events);
  for (;;) {
    for (const point of search.finished) driver.savePoint(point);
    const { command } = search;
    switch (command.type) {
      case 'runProbe':
        search = search.tell(await driver.probe(command, search));
        break;
      case 'runTrial':
        search = search.tell(await driver.trial(command, search));
        break;
      case 'done':
        // A time budget ends also points that were not finished.
        for (const point of command.points) driver.savePoint(point);
        return command.points;
    }
  }
}

/** Runs commands and records what comes of them before the search hears of it. */
class Driver {
  readonly #context: RunContext;
  readonly #store: Store;
  readonly #pace: Pace;
  readonly #warnOnce: (name: string, text: string) => void;
  #sequence: number;

  constructor(context: RunContext, store: Store, pace: Pace) {
    this.#context = { ...context, observe: withSignsOfLife(context, store) };
    this.#store = store;
    this.#pace = pace;
    this.#warnOnce = warnOnce(context.observe);
    this.#sequence = store.trials(context.runId).length;
  }

  async probe(command: RunProbe, search: RunningSearch): Promise<SearchEvent> {
    const { observe, runId, timing } = this.#context;
    const probe = { ...command, stepMs: fittedStepMs(command.stepMs, timing) };
    observe({ type: 'probeStarted', probe, etaSeconds: this.#eta(search) });
    const startedMs = performance.now();
    const { steps, risk } = await runProbe(this.#context, probe);
    this.#requireWhole();
    const seconds = (performance.now() - startedMs) / 1_000;
    this.#pace.tookProbe(seconds);
    const event: SearchEvent = { type: 'probeFinished', probeId: command.probeId, steps, seconds };
    this.#store.appendEvent(runId, event);
    this.#requireNoRisk(risk);
    return event;
  }

  async trial(command: RunTrial, search: RunningSearch): Promise<SearchEvent> {
    const { observe, runId } = this.#context;
    const trial = { ...command, windowMs: fittedWindowMs(command.windowMs, this.#context.timing) };
    observe({ type: 'trialStarted', trial, etaSeconds: this.#eta(search) });
    const startedMs = performance.now();
    const startedAtMs = Date.now();
    const { evidence, verdict, heldSeconds, risk } = await runTrial(this.#context, planOf(command));
    this.#requireWhole();
    this.#sequence += 1;
    const held = heldSeconds === null ? {} : { heldSeconds };
    const record = measureTrial(evidence, verdict, {
      sequence: this.#sequence,
      startedAtMs,
      endedAtMs: Date.now(),
      why: command.why,
      ...held,
    });
    const seconds = (performance.now() - startedMs) / 1_000;
    const event: TrialFinished = {
      type: 'trialFinished',
      trialId: command.trialId,
      verdict,
      offeredPerSecond: record.offeredPerSecond,
      ackedPerSecond: record.ackedPerSecond,
      idleByBroker: record.idleByBroker,
      windowSeconds: record.windowSeconds,
      ...held,
      atSeconds: (record.endedAtMs - this.#store.run(runId).startedAtMs) / 1_000,
      seconds,
    };
    this.#pace.tookTrial(event, command.windowMs);
    this.#store.recordTrial(runId, record, evidence, event);
    observe({ type: 'trialFinished', record, etaSeconds: this.#eta(search.tell(event)) });
    this.#warnOfFullHosts(evidence);
    this.#requireNoRisk(risk);
    return event;
  }

  /** What had no CPU to spare may have been the brokers' machine as well, and the limit that is found then its own. */
  #warnOfFullHosts({ shards, window }: TrialEvidence): void {
    for (const { workerId, idleRatio } of fullHosts(shards, window)) {
      const idle = `${Math.round(idleRatio * 100)} % idle`;
      this.#warnOnce(
        workerId,
        `the machine of worker ${workerId} had no CPU left in a trial (${idle}): where brokers run on it too, the limit is that machine's`,
      );
    }
  }

  /**
   * A trial that Ctrl-C cut short says nothing, and must not use up one of the repeats of its load: the same signal
   * reaches the workers, whose shards are then lost.
   */
  #requireWhole(): void {
    this.#context.signal.throwIfAborted();
  }

  /** The trial is recorded, so that a run which goes on later starts below its load. */
  #requireNoRisk(risk: string | null): void {
    if (risk === null) return;
    throw new PlimsollError(
      'CLUSTER_AT_RISK',
      `${risk}: the load was stopped; when the cluster is well again, go on with: plimsoll find --resume ${this.#context.runId}`,
    );
  }

  savePoint(point: BoundaryPoint): void {
    const isNew = !this.#store
      .points(this.#context.runId)
      .some((saved) => saved.messageBytes === point.messageBytes);
    if (!isNew) return;
    this.#store.savePoint(this.#context.runId, point);
    this.#context.observe({ type: 'pointFinished', point });
  }

  #eta(search: RunningSearch): number {
    return this.#pace.etaSeconds(search.remaining);
  }
}
