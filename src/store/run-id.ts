const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * Makes a run id: UTC date and time, then three letters: 20261130-141502-k3f. Ids sort by start.
 * @param nowMs wall clock, ms since the epoch.
 * @param random 0 <= x < 1, drawn anew at each call.
 */
export function makeRunId(nowMs: number, random: () => number): string {
  const digits = new Date(nowMs).toISOString().replace(/\D/g, '');
  const tail = Array.from({ length: 3 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${tail}`;
}
