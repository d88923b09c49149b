/** ln(ratio / (1 - ratio)) of a ratio between 0 and 1, both left out. */
export function logit(ratio: number): number {
  return Math.log(ratio / (1 - ratio));
}

/** The ratio that has this logit. */
export function expit(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
