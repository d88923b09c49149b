import { describe, expect, it } from 'vitest';
import { messagesText } from '../../charts/messages-text.ts';
import { reportHtml } from '../../charts/report-html.ts';
import { sampleDocument } from './sample-document.ts';

const PLAIN = { payload: 'random', sizes: 'fixed', keys: 'none', headers: {} };
const textOf = (messages: Readonly<Record<string, unknown>>) =>
  messagesText({ configuration: { messages: { ...PLAIN, ...messages } } });

describe('messagesText', () => {
  it.each([
    { messages: {}, text: null, why: 'plain ones need no word' },
    { messages: { payload: 'json' }, text: 'payload json', why: 'content' },
    {
      messages: { payload: 'compressible:0.4', sizes: 'lognormal:0.8' },
      text: 'payload compressible:0.4, sizes lognormal:0.8 about the message size',
      why: 'content and sizes',
    },
    {
      messages: { keys: 'zipfian:1000,0.99', headers: { tenant: 'acme', try: '1' } },
      text: 'keys zipfian:1000,0.99, headers tenant, try; MB/s are of the values alone',
      why: 'what comes on top',
    },
  ])('$why', ({ messages, text }) => {
    expect(textOf(messages)).toBe(text);
  });

  it('has nothing to say of a run that recorded nothing', () => {
    expect(messagesText({ configuration: {} })).toBeNull();
    expect(messagesText({ configuration: { messages: 'x' } })).toBeNull();
  });

  it('stands in the report where messages are not plain', () => {
    const document = sampleDocument();
    const configuration = { ...document.configuration, messages: { ...PLAIN, payload: 'json' } };
    expect(reportHtml({ ...document, configuration })).toContain('payload json');
    expect(reportHtml(document)).not.toContain('>messages<');
  });
});
