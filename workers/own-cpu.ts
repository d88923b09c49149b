import { readFileSync } from 'node:fs';
import { readThreads } from './cpu-meter.ts';

/** Name that librdkafka gives to the thread of its mock brokers. */
const MOCK_THREAD = 'rdk:mock';

/** CPU of the generator alone, without that of mock brokers in the same process. */
export interface OwnCpu {
  /** Since the process started, ms. */
  readMs(): number;
}

/**
 * Counts from now on. Where the system tells of no threads the mock brokers are counted too: the generator then looks
 * slower than it is.
 */
export function openOwnCpu(): OwnCpu {
  const mocks = [...(readThreads()?.keys() ?? [])].filter((id) => nameOf(id) === MOCK_THREAD);
  const mockMs = () => {
    const threads = readThreads();
    return mocks.reduce((sum, id) => sum + (threads?.get(id)?.runNs ?? 0), 0) / 1e6;
  };
  return {
    readMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000 - mockMs();
    },
  };
}

function nameOf(threadId: string): string {
  try {
    return readFileSync(`/proc/self/task/${threadId}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
