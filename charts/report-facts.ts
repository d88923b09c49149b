import type { RunDocument } from '../boundary/run-document.ts';
import { doseText } from './curve-remarks.ts';
import { html, type Markup } from './html.ts';
import { messagesText } from './messages-text.ts';
import { signalsSentence } from './signals-text.ts';

/** Everything needed to run the same again: thresholds, configuration (secrets already masked), environment. */
export function reportFacts(document: RunDocument): Markup {
  const messages = messagesText(document);
  const identity = {
    'run id': document.run.runId,
    'method version': document.methodVersion,
    brokers: document.cluster.brokerIds.join(', '),
    'Kafka version': document.cluster.kafkaVersion ?? 'not known',
    signals: signalsSentence(document),
    'overload dose': doseText(document) ?? 'not known',
    ...(messages === null ? {} : { messages }),
  };
  // the version is in the identity already
  const { kafka: _, ...environment } = document.environment;
  return html`<h2>Environment</h2>
${factTable({ ...identity, ...environment })}
<h2>Configuration</h2>
${factTable(document.configuration)}
<h2>Limits of the rules</h2>
${factTable({ ...document.thresholds })}`;
}

function factTable(facts: Readonly<Record<string, unknown>>): Markup {
  const rows = Object.entries(facts).flatMap(([name, value]) => flattened(name, value));
  if (rows.length === 0) return html`<p class="muted">Nothing recorded.</p>`;
  return html`<div class="scroll"><table class="facts"><tbody>${rows.map(([name, value]) => html`<tr><th scope="row" class="text">${name}</th><td class="value">${value}</td></tr>`)}</tbody></table></div>`;
}

/** `producer: { lingerMs: 5 }` becomes `producer.lingerMs`, the name under which it is set. */
function flattened(name: string, value: unknown): [name: string, value: string][] {
  if (Array.isArray(value)) return [[name, value.map(asText).join(', ')]];
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => flattened(`${name}.${key}`, inner));
  }
  return [[name, asText(value)]];
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return 'none';
  return value === undefined ? '' : JSON.stringify(value);
}
