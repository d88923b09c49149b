import { html, type Markup } from './html.ts';

/**
 * A table row, and below it a sentence about it that runs over all columns but the first: it needs no column of its own,
 * and stays in sight when a narrow screen scrolls the table sideways.
 * @param cells the cells of the row.
 * @param remark the sentence; empty for none.
 * @param columns how many columns there are beside the first.
 */
export function rowWithRemark(cells: Markup, remark: string, columns: number): Markup {
  if (remark === '') return html`<tr>${cells}</tr>\n`;
  return html`<tr class="remarked">${cells}</tr>
<tr class="remark"><td></td><td colspan="${columns}" class="text muted"><span>${remark}</span></td></tr>
`;
}
