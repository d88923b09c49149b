import type { BoundaryPoint } from '../../boundary-point.ts';
import { idleLogit } from '../../idle/idle-logit.ts';
import type { SearchConfig } from '../search.ts';
import { loadOf, type SizeState } from './adaptive-state.ts';
import { isReference, referenceOf } from './choose-reference.ts';
import type { Outlook } from './look.ts';
import { brokersOf } from './observe.ts';
import { pointOf } from './point.ts';
import { isTold, trendOf, trendText } from './trend.ts';

/** What all sizes have come to, smallest first when the search has picked them itself. */
export function pointsOf(
  config: SearchConfig,
  sizes: readonly SizeState[],
  outlook: Outlook | null,
): BoundaryPoint[] {
  const brokerIds = brokersOf(sizes);
  const trend = outlook ? trendNote(config, outlook) : null;
  const points = sizes.map((size, index): BoundaryPoint => {
    const point = pointOf(size, outlook?.views[index] ?? null, config, brokerIds);
    const gap = outlook?.gaps.find(({ from }) => from === size.messageBytes);
    const notes = trend?.size === index ? [...point.notes, trend.text] : point.notes;
    return { ...point, notes, ...(gap ? { interpolation: gap.halfWidth } : {}) };
  });
  return config.sizeRange ? points.sort((a, b) => a.messageBytes - b.messageBytes) : points;
}

/**
 * What a repeated trial has told of the cluster's trend, at the size of that trial; null without a trend. A search that was
 * cut off may not have come to a repeat: then at the trial that it would have repeated, with a word on that.
 */
function trendNote(
  config: SearchConfig,
  { views, analysis }: Outlook,
): { readonly size: number; readonly text: string } | null {
  const trend = trendOf(analysis.model);
  if (!trend || !isTold(trend)) return null;
  const repeat = views
    .flatMap(({ index, size }) => size.trials.filter(isReference).map((trial) => ({ index, trial })))
    .at(-1);
  const reference = referenceOf(views, config);
  const told = repeat ?? (reference && { index: reference.view.index, trial: reference.trial });
  if (!told) return null;
  const at = {
    size: told.index,
    lnLoad: Math.log(loadOf(told.trial)),
    limitLogit: idleLogit(config.idleLimit),
  };
  const text = trendText(trend, analysis.model, at);
  return { size: told.index, text: repeat ? text : `${text} (no load was repeated to make sure)` };
}
