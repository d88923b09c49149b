import { distance } from 'fastest-levenshtein';

/**
 * Finds the name most like a mistyped one, letter case aside; null when nothing is near enough to be what was meant.
 * A dotted candidate also answers to its last part, so that `windowMs` finds `trial.windowMs`, and without its unit, since
 * flag and help call it `window`.
 */
export function nearestName(typed: string, candidates: readonly string[]): string | null {
  let best: { name: string; steps: number } | null = null;
  for (const name of candidates) {
    const last = lastPart(name);
    const steps = Math.min(
      stepsBetween(typed, name),
      stepsBetween(typed, last) + 0.5,
      stepsBetween(typed, last.replace(/Ms$/, '')) + 0.75,
    );
    if (!best || steps < best.steps) best = { name, steps };
  }
  return best && best.steps <= Math.max(2, typed.length * 0.4) ? best.name : null;
}

function stepsBetween(a: string, b: string): number {
  return distance(a.toLowerCase(), b.toLowerCase());
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
