import { describe, expect, it } from 'vitest';
import { PlimsollError } from '../../src/errors.ts';
import { assignSources } from '../../src/signals/assign-sources.ts';
import type { CandidateSource } from '../../src/signals/broker-source.ts';
import { parseExposition } from '../../src/signals/exposition.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import { scrapeSource } from '../../src/signals/scrape-source.ts';

const IDLE =
  'kafka_server_replicamanager_underreplicatedpartitions 0\n' +
  'kafka_server_kafkarequesthandlerpool_requesthandleravgidlepercent_count 5e12\n';

function candidate(url: string, named: number | null, givenTo: number | null = null): CandidateSource {
  const appInfo = named === null ? '' : `kafka_server_app_info_version{id="${named}",version="4.4.0"} 1\n`;
  const page = parseExposition(IDLE + appInfo, () => true);
  if (page.kind !== 'parsed') throw new Error(page.reason);
  const source = scrapeSource(url);
  return { source, host: new URL(url).hostname, givenTo, resolution: resolveSeries(page, url) };
}

const APART = [
  { id: 1, host: 'b1', port: 9092 },
  { id: 2, host: 'b2', port: 9092 },
];
const TOGETHER = APART.map((broker) => ({ ...broker, host: 'localhost' }));
const [A, B] = ['http://b1:7071/metrics', 'http://b2:7071/metrics'];
const [LOCAL_A, LOCAL_B] = ['http://127.0.0.1:7071/metrics', 'http://127.0.0.1:7072/metrics'];

describe('assignSources', () => {
  for (const { why, brokers, candidates, owners } of [
    {
      why: 'pages name their brokers, in any order',
      brokers: TOGETHER,
      candidates: [candidate(LOCAL_A, 2), candidate(LOCAL_B, 1)],
      owners: '2=A 1=B',
    },
    {
      why: 'hosts tell',
      brokers: APART,
      candidates: [candidate(B, null), candidate(A, null)],
      owners: '2=A 1=B',
    },
    {
      why: 'one host, no names: open',
      brokers: TOGETHER,
      candidates: [candidate(LOCAL_A, null), candidate(LOCAL_B, null)],
      owners: '',
    },
    {
      why: 'two pages on one host: open',
      brokers: APART,
      candidates: [candidate(A, null), candidate('http://b1:9/m', null)],
      owners: '',
    },
    {
      why: 'a name outweighs the host',
      brokers: APART,
      candidates: [candidate(A, 2), candidate(B, 1)],
      owners: '2=A 1=B',
    },
    {
      why: 'another host: open',
      brokers: APART,
      candidates: [candidate('http://10.0.0.1/m', null, 1)],
      owners: '',
    },
    {
      why: 'loopback names are one host',
      brokers: [{ id: 1, host: 'localhost', port: 9092 }],
      candidates: [candidate(LOCAL_A, null)],
      owners: '1=A',
    },
  ]) {
    it(why, () => {
      const { sources, open } = assignSources(brokers, candidates);
      const letter = (source: unknown) => (source === candidates[0]?.source ? 'A' : 'B');
      expect(sources.map(({ brokerId, source }) => `${brokerId}=${letter(source)}`).join(' ')).toBe(owners);
      expect(open.length).toBe(candidates.length - sources.length);
    });
  }

  for (const { why, candidates, says } of [
    {
      why: 'given for another broker, by name',
      candidates: [candidate(LOCAL_A, 2, 1)],
      says: /7071.* given for broker 1 but is broker 2's/,
    },
    {
      why: 'given for another broker, by host',
      candidates: [candidate(B, null, 1)],
      says: /given for broker 1 but is broker 2's \(same host\)/,
    },
    {
      why: 'a node of another cluster',
      candidates: [candidate(A, 7)],
      says: /of node 7, but the cluster's brokers are 1, 2/,
    },
    {
      why: 'two pages of one broker',
      candidates: [candidate(LOCAL_A, 1), candidate(LOCAL_B, 1)],
      says: /both of broker 1/,
    },
  ]) {
    it(`refuses: ${why}`, () => {
      let caught: unknown;
      try {
        assignSources(APART, candidates);
      } catch (error) {
        caught = error;
      }
      expect(caught).toBeInstanceOf(PlimsollError);
      expect(caught).toMatchObject({ code: 'METRICS_MISMATCH', message: expect.stringMatching(says) });
    });
  }
});
