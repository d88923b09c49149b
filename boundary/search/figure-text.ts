/** Figures as the sentences of a search say them. */

/** Writes a duration: 45 s, 3 min 40 s, 30 min, 1 h 30 min. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return joined(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(whole / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** Writes the half width of an interval, a ratio: +-4.9 %. */
export function marginText(halfWidth: number, digits = 1): string {
  return `+-${(100 * halfWidth).toFixed(digits)} %`;
}

/** Writes a rate that is known to two digits or so: 2,100/s. */
export function roughRateText(perSecond: number): string {
  return `${Number(perSecond.toPrecision(2)).toLocaleString('en-US')}/s`;
}

/** Writes a rate to the message, a small one to two digits: 2,113/s, 0.13/s. */
export function rateText(perSecond: number): string {
  const shown = perSecond < 10 ? Number(perSecond.toPrecision(2)) : Math.round(perSecond);
  return `${shown.toLocaleString('en-US')}/s`;
}
