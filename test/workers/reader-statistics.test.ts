import { describe, expect, it } from 'vitest';
import { readReaderStatistics } from '../../workers/reader-statistics.ts';

const partition = (waiting: number, state = 'active') => ({ fetchq_cnt: waiting, fetch_state: state });

function statistics(partitions: Record<string, ReturnType<typeof partition>>, throttleMs = 0): string {
  return JSON.stringify({
    brokers: {
      'a:1/bootstrap': { throttle: { max: 0 } },
      'a:1/1': { throttle: { max: throttleMs } },
    },
    topics: { 'plimsoll-t': { partitions: { ...partitions, '-1': partition(0, 'none') } } },
  });
}

describe('readReaderStatistics', () => {
  it('counts the one queue of all partitions once', () => {
    const text = statistics({ 0: partition(40), 1: partition(40) });
    expect(readReaderStatistics(text, 'plimsoll-t', [0, 1])).toEqual({
      fetched: 40,
      isFetching: true,
      throttleMs: 0,
    });
  });

  it.each<
    [why: string, states: Record<string, ReturnType<typeof partition>>, own: number[], isFetching: boolean]
  >([
    ['all are fetched', { 0: partition(0), 1: partition(0) }, [0, 1], true],
    ['one still asks for its offset', { 0: partition(0), 1: partition(0, 'offset-wait') }, [0, 1], false],
    ['one is not known yet', { 0: partition(0) }, [0, 1], false],
    ["somebody else's is not", { 0: partition(0), 1: partition(0, 'none') }, [0], true],
  ])('%s', (_why, states, own, isFetching) => {
    expect(readReaderStatistics(statistics(states), 'plimsoll-t', own).isFetching).toBe(isFetching);
  });

  it('knows nothing of a topic that it has not heard of', () => {
    expect(readReaderStatistics(statistics({}), 'plimsoll-other', [0])).toMatchObject({
      fetched: 0,
      isFetching: false,
    });
  });

  it('tells the largest throttle time of the brokers', () => {
    expect(readReaderStatistics(statistics({ 0: partition(0) }, 25), 'plimsoll-t', [0]).throttleMs).toBe(25);
  });
});
