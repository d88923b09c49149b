// One run: a client sends as much as it can, and what it cost is read at both ends of a window.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOfTree } from './process-cpu.mjs';

const SETTLE_MS = 1_000;

/** @param lengths `{ warmUpMs, measuredMs }`. @returns messages acknowledged per second, and per CPU-second of the client. */
export async function measureClient(client, broker, size, { warmUpMs, measuredMs }) {
  const running = await client.start(broker, size);
  const wait = (ms) => Promise.race([sleep(ms), running.failure]);
  try {
    await wait(warmUpMs);
    const before = await reading(running.pid, broker);
    await wait(measuredMs);
    const after = await reading(running.pid, broker);
    const messages = after.messages - before.messages;
    if (messages <= 0) throw new Error(`${client.name}: nothing was acknowledged`);
    return {
      size,
      client: client.name,
      perSecond: messages / (after.atSeconds - before.atSeconds),
      perCpuSecond: messages / (after.cpuSeconds - before.cpuSeconds),
    };
  } finally {
    await running.stop();
    // What it had under way may still be on its way into the topic.
    await sleep(SETTLE_MS);
  }
}

/** Time and CPU are those in the middle of the questions to the broker, which take a while when it is busy. */
async function reading(pid, broker) {
  const early = [performance.now() / 1_000, cpuSecondsOfTree(pid)];
  const messages = await broker.messages();
  const late = [performance.now() / 1_000, cpuSecondsOfTree(pid)];
  const [atSeconds, cpuSeconds] = early.map((value, index) => (value + late[index]) / 2);
  return { messages, atSeconds, cpuSeconds };
}
