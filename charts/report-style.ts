import { DARK_PALETTE, LIGHT_PALETTE, type Palette } from './palette.ts';

/** The style sheet of the report: light and dark by the reader's setting, one column on a phone, printable. */
export function reportStyle(): string {
  return `
:root { color-scheme: light dark; ${variables(LIGHT_PALETTE)} --panel: #f6f8fa; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--background); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 1.65rem; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 1.2rem; margin: 44px 0 8px; }
h3 { font-size: 1rem; margin: 0 0 2px; }
p { margin: 8px 0; max-width: 50rem; }
.muted, caption { color: var(--muted); font-size: .9rem; }
.headline { font-size: 1.25rem; line-height: 1.4; }
.banner { border: 2px solid var(--overloaded); border-radius: 6px; padding: 8px 12px; margin: 16px 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(210px, 1fr)); gap: 12px; margin: 16px 0; }
.card { background: var(--panel); border: 1px solid var(--grid); border-radius: 6px; padding: 12px 14px; }
.card .figure { font-size: 1.35rem; font-weight: 600; display: block; }
.card p { margin: 2px 0; font-size: .9rem; }
.scroll { overflow-x: auto; border: 1px solid var(--grid); border-radius: 6px; margin: 8px 0; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 8px 12px 0; }
th, td { padding: 6px 10px; text-align: right; vertical-align: top; white-space: nowrap; border-bottom: 1px solid var(--grid); }
thead th { vertical-align: bottom; white-space: normal; line-height: 1.3; }
th { font-weight: 600; }
tr:last-child > td, tr:last-child > th { border-bottom: 0; } .remark > td { padding-top: 0; }
.text { text-align: left; }
td.long { white-space: normal; min-width: 150px; }
td.value { white-space: pre-wrap; overflow-wrap: anywhere; text-align: left; min-width: 200px; }
tr.remarked > td, tr.remarked > th { border-bottom: 0; padding-bottom: 0; }
.remark span { position: sticky; left: 10px; display: inline-block; max-width: min(60rem, calc(100vw - 150px)); white-space: normal; }
.sustained { color: var(--sustained); } .overloaded { color: var(--overloaded); } .invalid { color: var(--invalid); }
.brackets { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(320px, 100%), 1fr)); gap: 24px; margin: 16px 0; }
.brackets figure { margin: 0; }
svg { display: block; max-width: 100%; height: auto; }
.idle { display: flex; flex-direction: column; gap: 2px; } .idle svg { max-width: none; }
.narrow { display: none; }
${recolouring()}
@media (max-width: 640px) { .wide { display: none; } .narrow { display: block; margin: 0 -8px; } main { padding-top: 16px; } .facts th { white-space: normal; overflow-wrap: anywhere; width: 60%; } td.value { min-width: 0; } h1 { font-size: 1.4rem; } }
@media (prefers-color-scheme: dark) { :root { ${variables(DARK_PALETTE)} --panel: #1b222a; } }
@media print {
  :root { ${variables(LIGHT_PALETTE)} --panel: #ffffff; }
  main { max-width: none; padding: 0; } .scroll { overflow: visible; border: 0; } table { font-size: .7rem; }
  th, td { padding: 2px 5px; white-space: normal; } td.long { min-width: 0; } tr, figure, .card { break-inside: avoid; }
  .wide { display: block; } .narrow { display: none; }
}
`.trim();
}

const NAMES = Object.keys(LIGHT_PALETTE) as (keyof Palette)[];

function variables(palette: Palette): string {
  return NAMES.map((name) => `--${name}: ${palette[name]};`).join(' ');
}

/** A drawn SVG carries the light colours as attributes, which any rule overrides: so one drawing serves both schemes. */
function recolouring(): string {
  return NAMES.flatMap((name) => [
    `svg [fill="${LIGHT_PALETTE[name]}"] { fill: var(--${name}); }`,
    `svg [stroke="${LIGHT_PALETTE[name]}"] { stroke: var(--${name}); }`,
  ]).join('\n');
}
