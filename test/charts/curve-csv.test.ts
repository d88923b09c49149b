import { describe, expect, it } from 'vitest';
import { CURVE_CSV_COLUMNS, curveCsv } from '../../charts/curve-csv.ts';
import { bound, estimatedPoint, point, sampleDocument } from './sample-document.ts';

/** An RFC 4180 reader written from the grammar, independent of the writer. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let rest = text;
  while (rest.length > 0) {
    const match = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest);
    if (!match) throw new Error(`not RFC 4180 at: ${rest.slice(0, 40)}`);
    row.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
    if (match[3] === '\r\n') {
      rows.push(row);
      row = [];
    }
    rest = rest.slice(match[0].length);
  }
  return rows;
}

function records(text: string): Record<string, string>[] {
  const [header = [], ...rows] = parseCsv(text);
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? 'MISSING'])));
}

describe('curveCsv', () => {
  it('parses back to the numbers of the points, smallest size first', () => {
    const document = sampleDocument([point(1_000, 4_000, 4_230), point(100, 10_700.25, 11_300)]);
    const [first, second] = records(curveCsv(document));
    expect(first).toMatchObject({
      message_bytes: '100',
      lower_messages_per_second: '10700.25',
      upper_messages_per_second: '11300',
      limit_broker_id: '2',
      brokers: '3',
    });
    expect(Number(first?.lower_megabytes_per_second)).toBeCloseTo(1.070025, 9);
    expect(Number(first?.lower_megabytes_per_second_per_broker)).toBeCloseTo(0.356675, 9);
    expect(second?.message_bytes).toBe('1000');
  });

  it('leaves unknown values empty, never 0', () => {
    const [row] = records(curveCsv(sampleDocument([point(100, null, 4_230, 'at most')])));
    expect(row).toMatchObject({ lower_messages_per_second: '', half_width_ratio: '', lower_np: '' });
    expect(row?.upper_messages_per_second).toBe('4230');
  });

  it('holds the interval, what a hold and a former run showed, and whether it was simulated', () => {
    const hold = { plannedSeconds: 600, lasted: bound(1_900), drops: [] };
    const found = estimatedPoint(1_000, 2_000, 0.05, { hold, former: { outcome: 'refuted', ratio: 0.69 } });
    const document = { ...sampleDocument([found]), environment: { simulated: 'small.yaml' } };
    const [row] = records(curveCsv(document));
    expect(Number(row?.half_width_ratio)).toBeCloseTo(0.05, 9);
    expect(Number(row?.interval_low_messages_per_second)).toBeCloseTo(2_000 * Math.exp(-0.05), 9);
    expect(row).toMatchObject({
      estimate_messages_per_second: '2000',
      hold_planned_seconds: '600',
      hold_lasted_messages_per_second: '1900',
      former_ratio: '0.69',
      simulated: 'small.yaml',
    });
    expect(records(curveCsv(sampleDocument()))[0]).toMatchObject({
      hold_planned_seconds: '',
      hold_lasted_messages_per_second: '',
      former_ratio: '',
      simulated: '',
    });
  });

  it('holds what consumer groups read at the lower bound, in runs that had some', () => {
    const group = { consumedBytesPerSecond: 0, lag: 0, lagGrowthPerSecond: 0, consumedPerSecond: 1_990 };
    const consumers = ['a', 'b'].map((name) => ({ ...group, group: name }));
    const found = point(1_000, 2_000, 2_100);
    const document = sampleDocument([found, point(100, 9_000, 9_900)]);
    const [trial] = document.trials;
    if (!trial) throw new Error('no trial');
    const plan = { ...trial.plan, messageBytes: 1_000, np: 50, unitRate: 40 };
    const read = { ...trial, plan, verdict: { kind: 'sustained', worst: null } as const, consumers };
    const [small, large] = records(curveCsv({ ...document, trials: [read] }));
    expect(large).toMatchObject({ consumer_groups: '2', lower_consumed_messages_per_second: '3980' });
    expect(small).toMatchObject({ consumer_groups: '', lower_consumed_messages_per_second: '' });
    expect(records(curveCsv(document))[0]).not.toHaveProperty('consumer_groups');
  });

  it('quotes what needs quoting', () => {
    const notes = ['ISR not observed, "hold" too short\r\nsecond line'];
    const [row] = records(curveCsv(sampleDocument([{ ...point(100, 1, 2), notes }])));
    expect(row?.notes).toBe(notes[0]);
  });

  it('has the same number of fields in every row, also without points', () => {
    expect(parseCsv(curveCsv(sampleDocument([])))).toEqual([[...CURVE_CSV_COLUMNS]]);
    for (const row of parseCsv(curveCsv(sampleDocument())))
      expect(row).toHaveLength(CURVE_CSV_COLUMNS.length);
  });
});
