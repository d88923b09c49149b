/**
 * Colours by meaning; blue against orange stays apart for colour-blind readers, and shape says the same again.
 * Pictures are drawn in the light set; the HTML report swaps each colour for the dark one by its value.
 */
export interface Palette {
  readonly background: string;
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  readonly isoline: string;
  readonly sustained: string;
  readonly sustainedTint: string;
  /** The 95 % interval of the limit. */
  readonly interval: string;
  readonly overloaded: string;
  readonly invalid: string;
}

export const LIGHT_PALETTE: Palette = {
  background: '#ffffff',
  ink: '#1b2733',
  muted: '#566573',
  grid: '#e4e9ed',
  isoline: '#9aa8b4',
  sustained: '#0b62a8',
  sustainedTint: '#e6f0f8',
  interval: '#b5d3ec',
  overloaded: '#b8470b',
  invalid: '#7a6a8a',
};

export const DARK_PALETTE: Palette = {
  background: '#14191f',
  ink: '#e8edf2',
  muted: '#a3b1bd',
  grid: '#2a333c',
  isoline: '#66747f',
  sustained: '#6db7f2',
  sustainedTint: '#1a2b3a',
  interval: '#2b4f70',
  overloaded: '#f2995a',
  invalid: '#b9a6cc',
};
