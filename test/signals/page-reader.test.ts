import { describe, expect, it } from 'vitest';
import { PageReader } from '../../src/signals/page-reader.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import type { Snapshot } from '../../src/signals/signal-source.ts';
import { parsed, snapshotAt } from './fake-source.ts';
import { idlePage } from './metrics-server.ts';

const resolution = resolveSeries(parsed(idlePage(1_000)), 'page', { idleSelector: null });
const BARE: Snapshot = {
  series: parsed('jvm_threads_current 5\n'),
  atMs: 0,
  scrapeMs: 0,
  serverDateMs: null,
};

/** The same broker through an exporter without rules. */
function otherPage(atMs: number): Snapshot {
  const series = parsed(
    [
      'kafka_server_ReplicaManager_Value{name="UnderReplicatedPartitions"} 0.0',
      `kafka_server_KafkaRequestHandlerPool_Count{name="RequestHandlerAvgIdlePercent"} ${atMs * 1e6}`,
      'kafka_server_KafkaRequestHandlerPool_OneMinuteRate{name="RequestHandlerAvgIdlePercent"} 1.0',
      '',
    ].join('\n'),
  );
  return { series, atMs, scrapeMs: 0, serverDateMs: null };
}

const countOf = (reader: PageReader, snapshot: Snapshot) => {
  const read = reader.read(snapshot);
  if (read.kind === 'failed') return read.reason;
  return read.values.idle.kind === 'request handlers' ? read.values.idle.countNs : null;
};

describe('a page known before', () => {
  it('is asked for its series alone', () => {
    expect(new PageReader('page', resolution, null).wanted).toBe(resolution.wantedNames);
  });

  it('is known again after one page that lacked them', () => {
    const reader = new PageReader('page', resolution, null);
    expect(countOf(reader, snapshotAt(1_000))).toBe(1e9);
    expect(countOf(reader, BARE)).toMatch(/gone/);
    expect(reader.wanted).toBe('telling');
    expect(countOf(reader, snapshotAt(3_000))).toBe(3e9);
    expect(reader.wanted).toBe(resolution.wantedNames);
  });

  it('is understood anew when its series stay away: no number before a second look confirms it', () => {
    const reader = new PageReader('page', resolution, null);
    expect(countOf(reader, otherPage(10_000))).toMatch(/gone/);
    expect(countOf(reader, otherPage(11_000))).toMatch(/not confirmed/);
    expect(countOf(reader, otherPage(11_400))).toMatch(/not confirmed/);
    expect(reader.wanted).toContain('kafka_server_KafkaRequestHandlerPool_Count');
    expect(countOf(reader, otherPage(12_000))).toBe(12e9);
    expect(countOf(reader, otherPage(13_000))).toBe(13e9);
  });

  it('stays unread while it has no idle at all, and comes back', () => {
    const reader = new PageReader('page', resolution, null);
    expect(countOf(reader, BARE)).toMatch(/gone/);
    for (let i = 0; i < 3; i++) expect(countOf(reader, BARE)).toMatch(/page/);
    expect(countOf(reader, snapshotAt(9_000))).toBe(9e9);
  });
});

describe('an unknown page', () => {
  it('is confirmed by a second look', () => {
    const reader = new PageReader('page', null, null);
    expect(reader.wanted).toBe('telling');
    expect(countOf(reader, snapshotAt(5_000))).toMatch(/not confirmed/);
    expect(countOf(reader, snapshotAt(6_000))).toBe(6e9);
  });

  it('is not trusted when its Count does not behave like one', () => {
    const reader = new PageReader('page', null, null);
    expect(countOf(reader, snapshotAt(5_000))).toMatch(/not confirmed/);
    const fallen = { ...snapshotAt(1_000), atMs: 6_000 };
    expect(countOf(reader, fallen)).toMatch(/fell/);
    expect(reader.wanted).toBe('telling');
    expect(countOf(reader, snapshotAt(7_000))).toMatch(/not confirmed/);
    expect(countOf(reader, snapshotAt(8_000))).toBe(8e9);
  });
});
