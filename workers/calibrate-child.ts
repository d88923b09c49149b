/**
 * Measures what a load child can offer, tells its parent, and ends: in a process of its own, as a trial's load is, since
 * librdkafka's memory does not come back otherwise.
 */
import { messageOf } from '../src/errors.ts';
import { type CalibrationKind, measureRates } from './calibrate.ts';
import type { FromCalibration } from './calibration.ts';

/** SIGKILL, since exit handlers of the addon wait for brokers. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
}

function tell(message: FromCalibration): void {
  if (process.connected) process.send?.(message, undefined, undefined, endNow);
  else endNow();
}

const fail = (error: unknown) => tell({ kind: 'failed', reason: messageOf(error) });

process.on('disconnect', endNow);
process.on('SIGINT', () => {});
process.on('SIGTERM', endNow);
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
process.once('message', (kind: CalibrationKind) => {
  measureRates(kind).then((rates) => tell({ kind: 'rates', rates }), fail);
});
