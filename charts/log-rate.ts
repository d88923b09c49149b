/** log10 of a rate; null where there is none or it is zero, which a log axis cannot show. */
export function logRate(rate: number | null | undefined): number | null {
  return rate !== null && rate !== undefined && rate > 0 ? Math.log10(rate) : null;
}
