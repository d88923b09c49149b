import type { SearchConfig } from '../search.ts';
import { loadOf, type SizeState } from './adaptive-state.ts';
import { type Analysis, type AnalysisInput, analyse } from './analyse.ts';
import { type CurveGap, curveGaps } from './curve-gaps.ts';
import { formerHints, formerStandings } from './former-limits.ts';
import type { LimitHint } from './idle-model-types.ts';
import { observationsOf } from './observe.ts';
import { rampOf } from './probe-ramp.ts';
import { precisionOf, type SizeView, viewSize } from './size-view.ts';

/** All that is known, read from all trials together. */
export interface Outlook {
  /** In the order of the state's sizes. */
  readonly views: readonly SizeView[];
  readonly analysis: Analysis;
  /** How well the curve between the sizes is known; of a search that picks its sizes alone, else empty. */
  readonly gaps: readonly CurveGap[];
}

/** Reads all that is known anew. */
export function look(config: SearchConfig, sizes: readonly SizeState[]): Outlook {
  const messageSizes = sizes.map(({ messageBytes }) => messageBytes);
  const alone = {
    sizes: messageSizes,
    idleLimit: config.idleLimit,
    observations: observationsOf(sizes),
    hints: knownHints(config, sizes),
    ramps: sizes.flatMap((size, index) => rampOf(size, index) ?? []),
  };
  const standings = formerStandings(
    messageSizes,
    config.former ?? [],
    freshAnalysis(alone, config),
    precisionOf(config),
  );
  const input = { ...alone, hints: [...alone.hints, ...formerHints(standings)] };
  const analysis = analyse(input);
  const views = sizes.flatMap((size, index) => {
    const at = analysis.sizes[index];
    return at ? [viewSize(index, size, at, standings[index] ?? null, config)] : [];
  });
  return { views, analysis, gaps: config.sizeRange ? curveGaps(input, analysis) : [] };
}

/** What this run alone says, to set the former one against; null without need. */
function freshAnalysis(input: AnalysisInput, { former = [] }: SearchConfig): Analysis | null {
  return former.length > 0 && input.observations.length > 0 ? analyse(input) : null;
}

/** The known load surely overloads: the limit is somewhere below. */
function knownHints({ known }: SearchConfig, sizes: readonly SizeState[]): LimitHint[] {
  if (!known) return [];
  const lnLimit = Math.log(loadOf({ np: known.overloadedNp, unitRate: known.unitRate })) - 0.5;
  return sizes.map((_, size) => ({ size, lnLimit, deviation: 1 }));
}
