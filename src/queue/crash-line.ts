/** The line of a crashed process's stderr that says why: its error, else its last line; '' when there is none. */
export function crashLine(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    // Node ends every crash with its own version.
    .filter((line) => line !== '' && !line.startsWith('Node.js v'));
  return lines.find((line) => /^(\w*Error|FATAL ERROR)\b/.test(line)) ?? lines.at(-1) ?? '';
}
