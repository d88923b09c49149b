import { describe, expect, it } from 'vitest';
import { readingsAround } from '../../boundary/readings-around.ts';
import { SimulatedBroker } from './simulated-broker.ts';

const broker = new SimulatedBroker({
  idle: Array.from({ length: 1_000 }, () => 0.5),
  meterStartMs: 0,
  tickLateMs: [0],
  waitMs: 1,
});
const WINDOW = { startAtMs: 20_000, endAtMs: 30_000 };

describe('readingsAround', () => {
  it.each([
    [[19_000, 20_000, 25_000, 30_000, 31_000], [20_000, 25_000, 30_000], 'edges hit'],
    [[19_000, 20_400, 25_000, 29_600, 31_000], [20_400, 25_000, 29_600], 'nearly hit'],
    [[19_600, 20_100, 29_900, 30_300], [20_100, 29_900], 'the nearest of two'],
    [[10_000, 15_000, 25_000, 40_000, 50_000], [15_000, 25_000, 40_000], 'missed: the next ones outside'],
    [[15_000, 40_000], [15_000, 40_000], 'none inside'],
    [[23_000, 25_000], [23_000, 25_000], 'none outside'],
    [[], [], 'none'],
  ])('%j -> %j: %s', (times, expected, _why) => {
    const readings = times.map((atMs) => broker.read(atMs, 20, 0));
    expect(readingsAround(readings, WINDOW).map(({ atMs }) => atMs)).toEqual(expected);
  });
});
