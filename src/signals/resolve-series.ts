import { chooseSelectedIdle } from './choose-selected-idle.ts';
import { type ChosenSeries, chooseSeries } from './choose-series.ts';
import { explainSignals, type SignalExplanation } from './explain-signals.ts';
import { idleMissing } from './exporter-refusal.ts';
import type { Exposition } from './exposition.ts';
import { chooseHandlers, IDLE_ATTRIBUTES, type IdleChoice, idleSignal, meterInUse } from './idle-choice.ts';
import { type PageIdentity, readPageIdentity, requireReplicaManager } from './page-identity.ts';
import { KAFKA_SIGNALS, REDPANDA_SIGNALS, samplesByName, type WantedSignal } from './series-name.ts';
import type { SignalName } from './signal-series.ts';

export type { ChosenSeries } from './choose-series.ts';
export type { SignalExplanation } from './explain-signals.ts';
export type { IdleChoice } from './idle-choice.ts';

/** How to read one broker. */
export interface PageResolution {
  /** Names page or series set in messages. */
  readonly place: string;
  /** Names of the series to ask for in later looks, as the page writes them. */
  readonly wantedNames: ReadonlySet<string>;
  readonly chosen: ReadonlyMap<SignalName, ChosenSeries>;
  readonly identity: PageIdentity;
  readonly idle: IdleChoice;
  readonly explanations: readonly SignalExplanation[];
}

export interface ResolveOptions {
  /** `signals.idle` of the settings: the series that is the idle, and what it is; null: found by the table. */
  readonly idleSelector: string | null;
}

/**
 * Decides from one look at a broker which series is which signal and how the idle will be had. A second look makes sure
 * of it (`confirmBySecondLook`).
 * @param place names the look in messages: the source's place.
 * @throws PlimsollError METRIC_MISSING when there is no idle that can be trusted, naming the exporter and the remedy;
 * METRICS_MISMATCH when the page is a controller's or speaks for several brokers; CONFIG_INVALID for a selector.
 */
export function resolveSeries(
  page: Exposition,
  place: string,
  options: ResolveOptions = { idleSelector: null },
): PageResolution {
  const isRedpanda = page.samples.some(({ name }) => name === 'redpanda_cpu_busy_seconds_total');
  if (!isRedpanda) requireReplicaManager(page, place);
  const signals = isRedpanda ? REDPANDA_SIGNALS : KAFKA_SIGNALS;
  const identity = readPageIdentity(page);
  const { chosen, rejected } = chooseAll(page, signals, place);
  if (options.idleSelector === null) keepOneMeter(chosen);
  else replaceIdle(chosen, chooseSelectedIdle(page, options.idleSelector, place));

  const idle = chooseCores(chosen) ?? chooseHandlers(chosen, identity, place);
  if (idle === null) {
    const idleRejected = [...rejected]
      .filter(([signal]) => signal.toLowerCase().includes('idle') && signal !== 'networkIdle')
      .flatMap(([, reasons]) => reasons);
    throw idleMissing(page, place, idleRejected);
  }
  return {
    place,
    wantedNames: new Set([...chosen.values()].flatMap(({ names }) => names)),
    chosen,
    identity,
    idle,
    explanations: explainSignals(signals, chosen, rejected),
  };
}

interface Choices {
  readonly chosen: Map<SignalName, ChosenSeries>;
  readonly rejected: Map<SignalName, readonly string[]>;
}

function chooseAll(page: Exposition, signals: readonly WantedSignal[], place: string): Choices {
  const byName = samplesByName(page.samples);
  const chosen = new Map<SignalName, ChosenSeries>();
  const rejected = new Map<SignalName, readonly string[]>();
  for (const signal of signals) {
    const { standsInFor } = signal.wanted;
    if (standsInFor !== null && chosen.has(standsInFor)) continue;
    const choice = chooseSeries(page, byName, signal, place);
    if (choice.chosen !== null) chosen.set(signal.signal, choice.chosen);
    rejected.set(signal.signal, choice.rejected);
  }
  return { chosen, rejected };
}

/** Self-clocking divides Count by MeanRate, so both must be of one meter: the other pool's series are dropped. */
function keepOneMeter(chosen: Map<SignalName, ChosenSeries>): void {
  const unused = meterInUse(chosen) === 'broker' ? 'shared' : 'broker';
  for (const attribute of IDLE_ATTRIBUTES) chosen.delete(idleSignal(unused, attribute));
}

function replaceIdle(chosen: Map<SignalName, ChosenSeries>, selected: ChosenSeries): void {
  for (const attribute of IDLE_ATTRIBUTES) {
    chosen.delete(idleSignal('broker', attribute));
    chosen.delete(idleSignal('shared', attribute));
  }
  chosen.delete('busySeconds');
  chosen.set(selected.signal, selected);
}

function chooseCores(chosen: ReadonlyMap<SignalName, ChosenSeries>): IdleChoice | null {
  const busy = chosen.get('busySeconds');
  if (busy === undefined) return null;
  return {
    kind: 'cores',
    cores: busy.seriesCount,
    sentence: `idle by the busy time of the busiest core of ${busy.seriesCount} (Redpanda has no request handlers)`,
  };
}
