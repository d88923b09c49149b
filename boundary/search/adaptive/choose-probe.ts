import { largestLoad } from '../largest-load.ts';
import { MAX_INVALID_REPEATS } from '../next-load.ts';
import type { RunProbe, SearchConfig } from '../search.ts';
import { probeRates, probeWarmUpMs, roundRate, scaleNp } from '../unit-rate.ts';
import type { SizeState } from './adaptive-state.ts';
import { probeHint } from './probe-hint.ts';
import { LEAST_LOAD } from './size-view.ts';

/**
 * The probe that is due, if any: the smallest size first, then the largest; together they say what messages and bytes cost.
 * A size that a former run knows needs none.
 */
export function chooseProbe(config: SearchConfig, sizes: readonly SizeState[]): RunProbe | null {
  if (config.known) return null;
  const former = new Set(config.former?.map(({ messageBytes }) => messageBytes));
  const ascending = [...sizes.keys()].sort(
    (a, b) => (sizes[a]?.messageBytes ?? 0) - (sizes[b]?.messageBytes ?? 0),
  );
  for (const index of new Set([ascending[0], ascending.at(-1)])) {
    const size = index === undefined ? undefined : sizes[index];
    if (
      index === undefined ||
      !size ||
      former.has(size.messageBytes) ||
      probeHint(size, index, config.idleLimit)
    )
      continue;
    if (size.probes.length > MAX_INVALID_REPEATS) continue;
    const isFirst = sizes.every(({ probes }) => probes.length === 0);
    const np = scaleNp(config);
    return {
      type: 'runProbe',
      probeId: `${index + 1}-probe${size.probes.length + 1}`,
      messageBytes: size.messageBytes,
      np,
      unitRates: ratesFor(size, np, config, sizes),
      stepMs: config.probeStepMs,
      warmUpMs: probeWarmUpMs(isFirst),
      why: isFirst
        ? 'a rough idea of the limit of the smallest size'
        : 'with the limit of the largest size, the law between them is known roughly',
    };
  }
  return null;
}

/**
 * A larger message takes at most as many times the work as it is larger: the second probe starts a little under the limit
 * that this leaves, so that it never starts in overload.
 */
function ratesFor(size: SizeState, np: number, config: SearchConfig, sizes: readonly SizeState[]): number[] {
  const hint = sizes
    .map((other, index) => probeHint(other, index, config.idleLimit))
    .find((found) => found !== null);
  const known = hint && sizes[hint.size];
  if (!hint || !known) return probeRates(config, size.messageBytes, []);
  const limit = Math.exp(hint.lnLimit - hint.deviation);
  const start = Math.max(LEAST_LOAD, limit * Math.min(1, known.messageBytes / size.messageBytes));
  const most = Math.min(
    largestLoad(size.messageBytes, config).load,
    4 * Math.exp(hint.lnLimit + hint.deviation),
  );
  const rates: number[] = [];
  for (let load = Math.min(start, most); load <= most; load *= 2) rates.push(roundRate(load / np, most / np));
  return rates;
}
