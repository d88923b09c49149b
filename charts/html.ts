/** Markup that is safe to put into a page as it is. Only `html` and `trustedMarkup` make it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Markup[];

/** Builds markup; every interpolated string is escaped, markup and lists of markup go in as they are. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(
    strings.map((text, index) => text + (index < parts.length ? rendered(parts[index] ?? '') : '')).join(''),
  );
}

/** Passes text as markup: for text that this project made itself (a drawn SVG, the style sheet). */
export function trustedMarkup(text: string): Markup {
  return new Markup(text);
}

/** Escapes text for element content and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function rendered(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return part.map((markup) => markup.text).join('');
}
