import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunDocument } from '../../boundary/run-document.ts';
import type { RunProbe, RunTrial, SearchEvent } from '../../boundary/search/search.ts';
import { openSearch, type RunningSearch } from '../../boundary/search/strategies.ts';
import type { TrueLimit } from '../../boundary/simulator/true-limit.ts';
import { maskedConfig } from '../config/masked-config.ts';
import type { Config } from '../config/schema.ts';
import { Pace } from '../controller/pace.ts';
import { prepareRun, type RerunRequest } from '../controller/prepare-run.ts';
import { asRunError } from '../controller/run-error.ts';
import type { RunObserver } from '../controller/run-event.ts';
import { searchConfigOf } from '../controller/search-config.ts';
import { NO_SIGNALS } from '../controller/signal-timing.ts';
import { messageOf } from '../errors.ts';
import { openStore, type Store } from '../store/store.ts';
import type { Simulation } from './read-simulation.ts';
import { heededSettings } from './real-settings.ts';
import { simulatedRecord } from './simulated-record.ts';
import { type SimulatedWorld, simulatedWorld } from './simulated-world.ts';

const INTERRUPTED = 'interrupted; a simulated run takes seconds, so it is not resumed: start it again';

export interface SimulateRequest {
  readonly simulation: Simulation;
  readonly config: Config;
  /** Check what an earlier run on the same file found. */
  readonly rerun: RerunRequest | null;
  readonly observe: RunObserver;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  readonly onRun: (runId: string) => void;
}

export interface SimulatedRun {
  readonly document: RunDocument;
  /** What the search should have found, one per point of the document. */
  readonly truths: readonly TrueLimit[];
}

/**
 * Finds the boundary of a simulated cluster by the same search as that of a real one, without Kafka, Redis or workers. Time
 * is simulated, so hours pass in seconds; the run is stored like any other, marked as simulated.
 *
 * @throws PlimsollError with one line that says what to do; CANCELLED on Ctrl-C.
 */
export async function simulateBoundary(request: SimulateRequest): Promise<SimulatedRun> {
  const world = simulatedWorld(request.simulation.settings);
  const startedAtMs = Date.now();
  const nowMs = () => Math.round(startedAtMs + world.cluster.cost.seconds * 1_000);
  const store = openStore(request.config.home, { nowMs });
  try {
    return await ownRun(request, { store, world, startedAtMs });
  } finally {
    store.close();
  }
}

interface Owned {
  readonly store: Store;
  readonly world: SimulatedWorld;
  /** ms since the epoch. */
  readonly startedAtMs: number;
}

async function ownRun(request: SimulateRequest, owned: Owned): Promise<SimulatedRun> {
  const { simulation } = request;
  const { store, world } = owned;
  const name = `simulated:${simulation.name}`;
  const cluster = {
    bootstrap: [name],
    clusterId: name,
    brokerIds: world.brokerIds,
    kafkaVersion: null,
  };
  const { config, former, environment } = prepareRun(request, store, cluster);
  const searchConfig = searchConfigOf(config, former);
  const runId = store.createRun({
    cluster,
    configuration: { ...heededSettings(maskedConfig(config)), simulation: simulation.settings },
    environment: { simulated: simulation.name, node: process.versions.node, ...environment },
    searchConfig,
  });
  request.onRun(runId);
  try {
    const search = openSearch(config.strategy, searchConfig);
    await new Driver(request, owned, runId, new Pace(searchConfig, NO_SIGNALS)).drive(search);
    store.endRun(runId, 'finished');
  } catch (error) {
    const ended = asRunError(error, request.signal, INTERRUPTED);
    store.endRun(runId, ended.code === 'CANCELLED' ? 'interrupted' : 'failed', messageOf(ended));
    throw ended;
  }
  const document = store.runDocument(runId);
  return { document, truths: document.points.map(({ messageBytes }) => world.trueLimit(messageBytes)) };
}

/** Runs what the search wants on the simulated cluster, and records what comes of it before the search hears of it. */
class Driver {
  readonly #request: SimulateRequest;
  readonly #owned: Owned;
  readonly #runId: string;
  readonly #pace: Pace;
  #sequence = 0;
  readonly #savedSizes = new Set<number>();

  constructor(request: SimulateRequest, owned: Owned, runId: string, pace: Pace) {
    this.#request = request;
    this.#owned = owned;
    this.#runId = runId;
    this.#pace = pace;
  }

  async drive(start: RunningSearch): Promise<void> {
    let search = start;
    for (;;) {
      this.#savePoints(search.finished);
      const { command } = search;
      if (command.type === 'done') return this.#savePoints(command.points);
      // Lets Ctrl-C through, and the terminal draw.
      await nextTurn();
      this.#request.signal.throwIfAborted();
      search = command.type === 'runProbe' ? this.#probe(command, search) : this.#trial(command, search);
    }
  }

  #probe(probe: RunProbe, search: RunningSearch): RunningSearch {
    this.#request.observe({ type: 'probeStarted', probe, etaSeconds: this.#eta(search) });
    const event = this.#answer(probe);
    this.#pace.tookProbe(event.seconds);
    this.#owned.store.appendEvent(this.#runId, event);
    return search.tell(event);
  }

  #trial(trial: RunTrial, search: RunningSearch): RunningSearch {
    const { observe } = this.#request;
    observe({ type: 'trialStarted', trial, etaSeconds: this.#eta(search) });
    const event = this.#answer(trial);
    if (event.type !== 'trialFinished') throw new TypeError('a trial was answered by a probe');
    this.#pace.tookTrial(event, trial.windowMs);
    const { store, startedAtMs } = this.#owned;
    this.#sequence += 1;
    const record = simulatedRecord(trial, event, { sequence: this.#sequence, startedAtMs });
    store.recordTrial(this.#runId, record, null, event);
    const next = search.tell(event);
    observe({ type: 'trialFinished', record, etaSeconds: this.#eta(next) });
    return next;
  }

  #answer(command: RunProbe | RunTrial): SearchEvent {
    return this.#owned.world.cluster.answer(command);
  }

  #savePoints(points: RunningSearch['finished']): void {
    for (const point of points) {
      if (this.#savedSizes.has(point.messageBytes)) continue;
      this.#savedSizes.add(point.messageBytes);
      this.#owned.store.savePoint(this.#runId, point);
      this.#request.observe({ type: 'pointFinished', point });
    }
  }

  #eta(search: RunningSearch): number {
    return this.#pace.etaSeconds(search.remaining);
  }
}
