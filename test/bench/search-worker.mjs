import { parentPort, workerData } from 'node:worker_threads';
import { runCase } from './search-cases.mjs';

parentPort?.postMessage(workerData.map((one) => ({ ...one, ...runCase(one) })));
