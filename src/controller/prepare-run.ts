import { METHOD_VERSION } from '../../boundary/run-document.ts';
import type { FormerLimit } from '../../boundary/search/search.ts';
import { formatBytes } from '../../boundary/units.ts';
import { formatCount } from '../../charts/number-text.ts';
import { maskedConfig } from '../config/masked-config.ts';
import { isSizeRange } from '../config/message-sizes.ts';
import type { Config } from '../config/schema.ts';
import { PlimsollError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { RunCluster } from '../store/stored-run.ts';
import { type FormerRun, findFormerRun } from './former-run.ts';
import { methodDifferences } from './method-differences.ts';
import type { RunObserver } from './run-event.ts';

/** Asks for a run that checks an earlier one. */
export interface RerunRequest {
  /** Id of the earlier run, or `last`. */
  readonly run: string;
  /** The user named the sizes; else those of the earlier run are checked. */
  readonly hasSizes: boolean;
}

/** A run that is about to start: its configuration, and what it checks. */
export interface PreparedRun {
  readonly config: Config;
  readonly former: readonly FormerLimit[];
  /** For the run's record: which run it checks. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Gets a run ready that checks an earlier one of the same cluster; without such a request the run is as configured.
 * Says what is checked, and warns of settings that make the two incomparable.
 *
 * @throws PlimsollError RUN_UNKNOWN, CONFIG_INVALID when there is nothing to check or the search cannot.
 */
export function prepareRun(
  {
    config,
    rerun,
    observe,
  }: { readonly config: Config; readonly rerun: RerunRequest | null; readonly observe: RunObserver },
  store: Store,
  cluster: RunCluster,
): PreparedRun {
  if (rerun === null) return { config, former: [], environment: {} };
  requireModel(config);
  const found = findFormerRun(store, rerun.run, cluster);
  const sized = rerun.hasSizes
    ? config
    : { ...config, bpm: found.limits.map(({ messageBytes }) => messageBytes) };
  const former = found.limits.filter(({ messageBytes }) => isAsked(messageBytes, sized.bpm));
  tellRerun({ ...found, limits: former, unchecked: rerun.hasSizes ? [] : found.unchecked }, sized, observe);
  return { config: sized, former, environment: { rerunOf: found.run.runId } };
}

/** Only the model of the adaptive search can weigh a former limit against new trials. */
function requireModel({ strategy, signals }: Config): void {
  const inTheWay =
    strategy !== 'adaptive'
      ? `strategy ${strategy}`
      : signals.source === 'none'
        ? 'signals.source none'
        : null;
  if (inTheWay === null) return;
  throw new PlimsollError('CONFIG_INVALID', `--rerun does not go with ${inTheWay}: leave one of them out`);
}

function isAsked(messageBytes: number, bpm: Config['bpm']): boolean {
  return isSizeRange(bpm) ? bpm.from <= messageBytes && messageBytes <= bpm.to : bpm.includes(messageBytes);
}

function tellRerun({ run, limits, unchecked }: FormerRun, config: Config, observe: RunObserver): void {
  if (limits.length === 0) {
    const text = `run ${run.runId} has no limit at these sizes: all of them are searched`;
    observe({ type: 'warning', text });
    return;
  }
  const found = limits.map(
    ({ messageBytes, estimate }) => `${formatBytes(messageBytes)} ${formatCount(estimate)}/s`,
  );
  observe({ type: 'step', text: `checking what run ${run.runId} found: ${found.join(', ')}` });
  if (unchecked.length > 0) {
    const sizes = unchecked.map(formatBytes).join(', ');
    const text = `left out, for that run has no limit of theirs that can be checked: ${sizes}; --bpm searches them`;
    observe({ type: 'warning', text });
  }
  const differing = methodDifferences(run.configuration, maskedConfig(config));
  if (run.methodVersion !== METHOD_VERSION) differing.push('the method of measurement (a newer Plimsoll)');
  if (differing.length === 0) return;
  const text = `that run was measured with other settings (${differing.join(', ')}): a difference may come from them, not from the cluster`;
  observe({ type: 'warning', text });
}
