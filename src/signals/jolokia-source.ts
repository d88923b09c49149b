import { z } from 'zod';
import { maskText } from '../config/masked-text.ts';
import type { Sample } from './exposition.ts';
import { type HttpAnswer, HttpClient, withoutCredentials } from './http-client.ts';
import { credentialsReason, shortened } from './http-failure.ts';
import { BEAN_READS, type BeanRead, IDLE_BEAN, readsFor, seriesOf } from './jolokia-beans.ts';
import type { FailedLook, Look, LookRequest, SignalSource } from './signal-source.ts';
import { PLAIN_SOURCE, type SourceOptions } from './source-options.ts';

/** The beans of one broker, read in bulk from a Jolokia agent with every look. */
export function jolokiaSource(url: string, options: SourceOptions = PLAIN_SOURCE): SignalSource {
  const agent = agentUrl(url);
  const client = new HttpClient(options);
  return {
    kind: 'jolokia',
    place: maskText(withoutCredentials(agent)),
    refreshMs: 0,
    look: async ({ wanted, deadlineMs, nowMs }) => {
      const reads = wanted === 'telling' ? BEAN_READS : readsFor(wanted);
      const answer = await client.send({
        url: agent.href,
        accept: 'application/json',
        body: { type: 'application/json', text: JSON.stringify(reads.map(requestOf)) },
        deadlineMs,
        nowMs,
      });
      return answer.kind === 'failed' ? answer : readAnswer(answer, reads, wanted);
    },
    close: () => client.close(),
  };
}

/** Agents redirect, or do not know, the path without the slash at its end. */
function agentUrl(url: string): URL {
  const agent = new URL(url);
  if (agent.pathname === '/') agent.pathname = '/jolokia/';
  if (!agent.pathname.endsWith('/')) agent.pathname += '/';
  return agent;
}

function requestOf({ mbean, attributes, texts = [] }: BeanRead): unknown {
  // One attribute that a JVM does not have must not take the others with it.
  return { type: 'read', mbean, attribute: [...attributes, ...texts], config: { ignoreErrors: true } };
}

const attributesOfBean = z.record(z.string(), z.unknown());
const bulkAnswer = z.array(
  z.object({ status: z.number(), value: z.unknown().optional(), error: z.string().optional() }),
);

function readAnswer(answer: HttpAnswer, reads: readonly BeanRead[], wanted: LookRequest['wanted']): Look {
  const { status, startMs, endMs, bytes, serverDateMs } = answer;
  const turnedAway = credentialsReason(status);
  if (turnedAway !== null) return failed(turnedAway);
  if (status !== 200) return failed(`HTTP ${status}`);
  const bulk = bulkAnswer.safeParse(parsedJson(answer.text));
  if (!bulk.success || bulk.data.length !== reads.length) {
    return failed('answers no bulk read; is it the URL of a Jolokia agent (http://host:8778/jolokia)?');
  }
  const samples: Sample[] = [];
  for (const [index, read] of reads.entries()) {
    const one = bulk.data[index];
    const beans = one?.status === 200 ? beansOf(read, one.value) : [];
    if (read.mbean === IDLE_BEAN && beans.length === 0) {
      return failed(`no ${IDLE_BEAN}: ${shortened(one?.error ?? 'no such bean')}`);
    }
    for (const [mbean, attributes] of beans) {
      for (const sample of seriesOf(mbean, attributes, read.texts ?? [])) {
        if (wanted === 'telling' || wanted.has(sample.name))
          samples.push({ ...sample, line: samples.length + 1 });
      }
    }
  }
  const series = { kind: 'parsed', samples, help: NO_WORDS, types: NO_WORDS } as const;
  const snapshot = { series, atMs: (startMs + endMs) / 2, scrapeMs: endMs - startMs, serverDateMs };
  return { kind: 'looked', snapshots: [snapshot], tookMs: endMs - startMs, bytes };
}

/** The names without rules tell everything. */
const NO_WORDS: ReadonlyMap<string, string> = new Map();

/** A pattern answers with its beans by name, a plain name with the attributes alone. */
function beansOf(
  { mbean }: BeanRead,
  value: unknown,
): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  const read = attributesOfBean.safeParse(value);
  if (!read.success) return [];
  if (!mbean.includes('*')) return [[mbean, read.data]];
  return Object.entries(read.data).flatMap(([name, attributes]) => {
    const bean = attributesOfBean.safeParse(attributes);
    return bean.success ? [[name, bean.data] as const] : [];
  });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function failed(reason: string): FailedLook {
  return { kind: 'failed', reason };
}
