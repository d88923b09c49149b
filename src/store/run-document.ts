import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import type { RunDocument, TrialRecord } from '../../boundary/run-document.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../boundary/verdict.ts';
import type { StoredRun } from './stored-run.ts';

/** Puts a run's rows together into the document that reports are made from. */
export function toRunDocument(
  run: StoredRun,
  points: readonly BoundaryPoint[],
  trials: readonly TrialRecord[],
): RunDocument {
  const thresholds = run.configuration.thresholds as Partial<Thresholds> | undefined;
  return {
    format: 'plimsoll-curve/1',
    methodVersion: run.methodVersion,
    run: {
      runId: run.runId,
      status: run.status,
      startedAtMs: run.startedAtMs,
      finishedAtMs: run.finishedAtMs,
      error: run.error,
    },
    cluster: {
      brokerIds: run.cluster.brokerIds,
      kafkaVersion: run.environment.kafka ?? run.cluster.kafkaVersion,
    },
    signals: { source: sourceOf(run.configuration), idle: run.environment.idle ?? null },
    thresholds: { ...DEFAULT_THRESHOLDS, ...thresholds },
    configuration: run.configuration,
    environment: run.environment,
    points,
    trials,
  };
}

/** Runs from before there was a choice scraped the brokers' pages. */
function sourceOf(configuration: StoredRun['configuration']): RunDocument['signals']['source'] {
  const signals = configuration.signals as { readonly source?: RunDocument['signals']['source'] } | undefined;
  return signals?.source ?? 'scrape';
}
