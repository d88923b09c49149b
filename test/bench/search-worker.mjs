import { parentPort, workerData } from 'node:worker_threads';
import { runCase } from './search-cases.mjs';
import { runRerun } from './search-rerun.mjs';

const run = (one) => (one.rerun ? runRerun(one) : runCase(one));

parentPort?.postMessage(workerData.map((one) => ({ ...one, ...run(one) })));
