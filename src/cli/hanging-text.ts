/**
 * Writes `lead` and `text` beside it, continued below itself where the terminal ends: breaks at spaces; a word longer than
 * a line stays whole, so that it can be copied.
 * @param columns width of the terminal; null for pipes and files, where nothing is broken.
 */
export function hangingText(lead: string, text: string, columns: number | null): string {
  const room = (columns ?? Number.POSITIVE_INFINITY) - lead.length;
  // beside a very wide lead nothing would be left to write in
  if (room < LEAST_ROOM) return `${lead}${text}`;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return lead + [...lines, line].join(`\n${' '.repeat(lead.length)}`);
}

const LEAST_ROOM = 20;
