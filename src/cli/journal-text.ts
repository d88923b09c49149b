import type { Journal, JournalEntry } from '../../boundary/search/journal.ts';
import type { ProbeStep, RunProbe, RunTrial } from '../../boundary/search/search.ts';
import { formatBytes } from '../../boundary/units.ts';
import { formatCount, formatRatio } from '../../charts/number-text.ts';
import { trialReason } from '../../charts/verdict-text.ts';
import { printable } from '../printable.ts';

/** A line of the journal; `text` goes on below itself where the terminal ends. */
export interface JournalLine {
  readonly lead: string;
  readonly text: string;
}

/** One line per decision: number, time of the day, why, and what came of it; the one that is due comes last. */
export function journalLines({ entries, pending }: Journal): JournalLine[] {
  const lines = entries.map(lineOf);
  if (pending === null || pending.type === 'done') return lines;
  const text = pending.type === 'runProbe' ? probeText(pending) : trialText(pending);
  return [...lines, { lead: leadOf('next', ''), text }];
}

/** The last line: whether the search would do the same again. */
export function journalVerdict({ entries, pending, difference }: Journal): string {
  if (difference !== null) return `not reproduced: ${printable(difference)}`;
  const made = entries.length === 1 ? 'the one decision' : `every one of the ${entries.length} decisions`;
  const end = pending?.type === 'done' ? '' : '; the run was cut off before the last one was carried out';
  return `${made} was reproduced${end}`;
}

function lineOf(entry: JournalEntry): JournalLine {
  if (entry.kind === 'probe') {
    return { lead: leadOf('', ''), text: `${probeText(entry.command)} -> ${stepsText(entry)}` };
  }
  const { record, command } = entry;
  const time = new Date(record.startedAtMs).toISOString().slice(11, 19);
  const outcome = `${record.verdict.kind} (${printable(trialReason(record))})`;
  return { lead: leadOf(`#${record.sequence}`, time), text: `${trialText(command)} -> ${outcome}` };
}

function leadOf(number: string, time: string): string {
  return `${number.padEnd(5)} ${time.padEnd(8)}  `;
}

/** The load stands in front of a sentence that does not name it. */
function trialText({ np, messageBytes, why }: RunTrial): string {
  const isNamed = why.includes(`np ${np} of `);
  return isNamed ? why : `np ${np} of ${formatBytes(messageBytes)}: ${why}`;
}

function probeText({ messageBytes, np, why }: RunProbe): string {
  return `probe of ${formatBytes(messageBytes)} with np ${np}: ${why}`;
}

function stepsText({ command, event }: Extract<JournalEntry, { kind: 'probe' }>): string {
  const last = event.steps.at(-1);
  if (!last) return 'no step could be read';
  const steps = event.steps.length === 1 ? '1 step' : `${event.steps.length} steps`;
  return `${steps}, at ${formatCount(last.unitRate * command.np)}/s ${stepText(last)}`;
}

function stepText({ idle, ackedShare }: ProbeStep): string {
  const acked = `${formatRatio(ackedShare)} acknowledged`;
  return idle === null ? acked : `least idle ${formatRatio(idle)}, ${acked}`;
}
