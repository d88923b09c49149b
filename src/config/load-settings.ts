import { z } from 'zod';
import { readMegabytesPerSecond } from './data-rate.ts';
import { orNull, readWhole } from './read-value.ts';
import { setting } from './setting.ts';

/** `load`: how much is offered. */
export const loadSettings = z.strictObject({
  targetNp: setting(readWhole({ min: 1, max: 10_000 }), 50, {
    description: 'the unit rate is chosen so that the boundary falls near this many producers',
    unit: 'producers',
    flag: 'target-np',
    value: 'NUMBER',
  }),
  maxNp: setting(readWhole({ min: 1, max: 10_000 }), 200, {
    description: 'most producers that a trial may use',
    unit: 'producers',
    flag: 'max-np',
    value: 'NUMBER',
  }),
  maxMegabytesPerSecond: setting(orNull(readMegabytesPerSecond), null, {
    description: 'never offer the cluster more than this, for example 40MB/s',
    unit: 'MB/s',
    flag: 'max-load',
    value: 'RATE',
  }),
  seed: setting(readWhole({ min: 0, max: 0xffff_ffff }), 1, {
    description: 'seed of the payload and of every random choice',
    flag: 'seed',
    value: 'NUMBER',
  }),
});
