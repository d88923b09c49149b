import { parentPort, workerData } from 'node:worker_threads';
import { runCase } from './search-cases.mjs';
import { runCurve } from './search-curve.mjs';
import { runRerun } from './search-rerun.mjs';

function run(one) {
  if (one.rerun) return runRerun(one);
  return one.curve ? runCurve(one) : runCase(one);
}

parentPort?.postMessage(workerData.map((one) => ({ ...one, ...run(one) })));
