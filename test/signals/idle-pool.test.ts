import { describe, expect, it } from 'vitest';
import type { HandlerPool } from '../../boundary/broker-reading.ts';
import { confirmBySecondLook } from '../../src/signals/confirm-by-second-look.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import { BARE, PLACE, POOL, pageOf, REPLICAS, refusalOf, snapshotOf } from './sample-pages.ts';

const MEAN = `${POOL}_requesthandleravgidle_percent`;
const VERSION = (version: string) => `kafka_server_app_info_version{id="1",version="${version}"} 1\n`;
const LEADER = 'kafka_server_raftmetrics_current_state{current_state="leader"} 1\n';
const OBSERVER = 'kafka_server_raftmetrics_current_state{current_state="observer"} 1\n';
const SUM = 'sum of broker and controller';
const AVERAGE = 'mean of broker and controller';

describe('the page tells whose threads the idle meter speaks for', () => {
  for (const { why, text, pool, isPoolSure } of [
    { why: 'nothing said', text: '', pool: 'broker', isPoolSure: false },
    { why: 'a broker that observes the quorum', text: OBSERVER, pool: 'broker', isPoolSure: true },
    { why: 'a leader of the quorum, 4.1', text: LEADER + VERSION('4.1.1'), pool: SUM, isPoolSure: true },
    { why: 'a leader of the quorum, 3.9', text: LEADER + VERSION('3.9.2'), pool: SUM, isPoolSure: true },
    { why: 'a leader of the quorum, 4.2', text: LEADER + VERSION('4.2.0'), pool: AVERAGE, isPoolSure: true },
    {
      why: 'a leader of the quorum, 10.0',
      text: LEADER + VERSION('10.0.0'),
      pool: AVERAGE,
      isPoolSure: true,
    },
    {
      why: 'a leader of the quorum, version unknown, Count alone',
      text: LEADER,
      pool: SUM,
      isPoolSure: false,
    },
    {
      why: 'a voter, as the metrics-reporter writes it',
      text: `kafka_server_raft_metrics_current_state_info{state="voted"} 1\n${VERSION('4.0.0')}`,
      pool: SUM,
      isPoolSure: true,
    },
    {
      why: 'the state in the name; others are 0',
      text: `kafka_server_raft_metrics_current_state_leader 0\nkafka_server_raft_metrics_current_state_observer 1\n`,
      pool: 'broker',
      isPoolSure: true,
    },
    { why: 'a mean above 1.1', text: `${MEAN} 1.97\n`, pool: SUM, isPoolSure: true },
    { why: 'one late tick', text: `${MEAN} 1.06\n`, pool: 'broker', isPoolSure: false },
    { why: 'a one-minute rate above 1.1', text: `${BARE}_oneminuterate 1.9\n`, pool: SUM, isPoolSure: true },
    {
      why: 'above 1.1 on 4.2, which averages',
      text: `${MEAN} 1.5\n${VERSION('4.2.0')}`,
      pool: AVERAGE,
      isPoolSure: true,
    },
    {
      why: 'beans of a controller where there is no ZooKeeper',
      text: `kafka_controller_kafkacontroller_activecontrollercount 0\n${VERSION('4.0.0')}`,
      pool: SUM,
      isPoolSure: true,
    },
    {
      why: 'beans of a controller, which every broker has with ZooKeeper',
      text: `kafka_controller_kafkacontroller_activecontrollercount 0\n${VERSION('2.8.0')}`,
      pool: 'broker',
      isPoolSure: false,
    },
    {
      why: 'controller handlers beside it, which came with the mean',
      text: `${POOL}_controllerrequesthandleravgidlepercent_count 5e12\n`,
      pool: AVERAGE,
      isPoolSure: true,
    },
    {
      why: 'controller handlers beside it, but not the broker’s',
      text: `${POOL}_controllerrequesthandleravgidlepercent_count 5e12\n${VERSION('4.2.1')}`,
      pool: AVERAGE,
      isPoolSure: true,
    },
    {
      why: "the broker's own meter, whatever else",
      text: `${POOL}_brokerrequesthandleravgidlepercent_count 5e12\n${LEADER}`,
      pool: 'broker',
      isPoolSure: true,
    },
  ] satisfies { why: string; text: string; pool: HandlerPool; isPoolSure: boolean }[]) {
    it(why, () => {
      const { idle } = resolveSeries(pageOf(`${REPLICAS}${BARE}_count 5e12\n${text}`), PLACE);
      expect(idle).toMatchObject({ pool, isPoolSure });
    });
  }

  it('refuses a shared meter of unknown kind without a Count to settle it', () => {
    const text = `${REPLICAS}${BARE}_oneminuterate 0.9\n${LEADER}`;
    const { code, message } = refusalOf(() => resolveSeries(pageOf(text), PLACE));
    expect(code).toBe('METRIC_MISSING');
    expect(message).toMatch(/adds or averages both .* export kafka.server:type=app-info with its version/);
  });
});

describe('confirmBySecondLook', () => {
  const look = (countNs: number, atMs: number, more = '', scrapeMs = 0) =>
    snapshotOf(`${REPLICAS}${BARE}_count ${countNs}\n${more}`, atMs, scrapeMs);
  const START_NS = 5e12;

  for (const { why, grownNs, afterMs, more = '', scrapeMs = 0, gives } of [
    { why: 'an idle broker', grownNs: 1.98e9, afterMs: 2000, gives: 'broker' },
    { why: 'no idle at all', grownNs: 0, afterMs: 2000, gives: 'broker' },
    {
      why: 'a wait of 300 ms before the look is marked in it',
      grownNs: 1.35e9,
      afterMs: 1100,
      gives: 'broker',
    },
    {
      why: 'a slow page may have been read late',
      grownNs: 4.3e9,
      afterMs: 2000,
      scrapeMs: 2000,
      gives: 'broker',
    },
    { why: 'two idle pools', grownNs: 3.96e9, afterMs: 2000, gives: SUM },
    { why: 'the lab of a 4.0 combined node', grownNs: 6.32e9, afterMs: 3160, gives: SUM },
    {
      why: 'two pools on 4.2, which averages',
      grownNs: 3.96e9,
      afterMs: 2000,
      more: VERSION('4.2.0'),
      gives: AVERAGE,
    },
    {
      why: 'a rate above 1.1 on the second page',
      grownNs: 1e9,
      afterMs: 2000,
      more: `${MEAN} 1.3\n`,
      gives: SUM,
    },
    {
      why: 'known to be combined, a busy one',
      grownNs: 1e9,
      afterMs: 2000,
      more: LEADER + VERSION('3.9.0'),
      gives: SUM,
    },
    {
      why: 'known to be combined, version unknown, two pools',
      grownNs: 3.9e9,
      afterMs: 2000,
      more: LEADER,
      gives: SUM,
    },
    {
      why: 'known to be combined, version unknown, not told by growth',
      grownNs: 1.9e9,
      afterMs: 2000,
      more: LEADER,
      gives: /adds or averages both/,
    },
    {
      why: 'Count fell',
      grownNs: -1,
      afterMs: 2000,
      gives: /_count of http\S+ fell from 5000000000000 to 4999999999999/,
    },
    {
      why: 'no nanoseconds',
      grownNs: 5e9,
      afterMs: 2000,
      gives: /_count of http\S+ grew by 5000000000 in 2.0 s, which idle nanoseconds/,
    },
    { why: 'looks too close', grownNs: 9e8, afterMs: 900, gives: /within less than 1000 ms; look again/ },
  ] satisfies {
    why: string;
    grownNs: number;
    afterMs: number;
    more?: string;
    scrapeMs?: number;
    gives: HandlerPool | RegExp;
  }[]) {
    it(why, () => {
      const first = look(START_NS, 0, more.replace('1.3', '0.9'), scrapeMs);
      const second = look(START_NS + grownNs, afterMs, more, scrapeMs);
      const confirm = () => confirmBySecondLook(resolveSeries(first.series, PLACE), first, second);
      if (gives instanceof RegExp) {
        const { code, message } = refusalOf(confirm);
        expect(code).toBe('METRIC_MISSING');
        expect(message).toMatch(gives);
      } else {
        expect(confirm().idle).toMatchObject({ pool: gives, isPoolSure: true });
      }
    });
  }

  it('says how the threads of the other pool are taken off', () => {
    const first = look(START_NS, 0);
    const { idle } = confirmBySecondLook(
      resolveSeries(first.series, PLACE),
      first,
      look(START_NS + 4e9, 2000),
    );
    expect(idle.sentence).toContain(
      "the meter adds the controller's threads (KAFKA-19606), which are taken off",
    );
  });

  it("refuses a broker's own meter that two pools mark", () => {
    const own = (countNs: number, atMs: number) =>
      snapshotOf(`${REPLICAS}${POOL}_brokerrequesthandleravgidlepercent_count ${countNs}\n`, atMs);
    const first = own(5e12, 0);
    const { message } = refusalOf(() =>
      confirmBySecondLook(resolveSeries(first.series, PLACE), first, own(5.004e12, 2000)),
    );
    expect(message).toMatch(/higher than the threads of one broker can be idle/);
  });

  it('refuses when the idle is gone on the second page', () => {
    const first = look(START_NS, 0);
    const { message } = refusalOf(() =>
      confirmBySecondLook(resolveSeries(first.series, PLACE), first, snapshotOf(REPLICAS, 2000)),
    );
    expect(message).toMatch(/is gone from the page; look again/);
  });

  for (const { why, busy, refused } of [
    { why: 'busy cores', busy: 1.9, refused: false },
    { why: 'cores that went back', busy: -1, refused: true },
    { why: 'more busy than time', busy: 5, refused: true },
  ]) {
    it(`Redpanda: ${why}`, () => {
      const cores = (seconds: number, atMs: number) =>
        snapshotOf(`redpanda_cpu_busy_seconds_total{shard="0"} ${seconds}\n`, atMs);
      const first = cores(10, 0);
      const confirm = () =>
        confirmBySecondLook(resolveSeries(first.series, PLACE), first, cores(10 + busy, 2000));
      if (refused) expect(refusalOf(confirm).message).toMatch(/busy_seconds_total of http\S+ changed by/);
      else expect(confirm().idle.kind).toBe('cores');
    });
  }
});
