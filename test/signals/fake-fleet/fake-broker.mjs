// One fake broker: its page on a port of its own, and its misbehaviour.
import { createServer } from 'node:http';
import { nowMs } from './broker-truth.mjs';
import { MISBEHAVIOURS, sendPage } from './misbehaviour.mjs';

const RESTART_MS = 2_000;

/**
 * @param deps `truth` of the broker, `writePage`, `filler` of huge pages, `patienceMs` of whoever asks, and `log`, told
 * each thing that is not a good page at once: `{ brokerId, kind, atMs, ... }`.
 */
export async function startFakeBroker({ truth, writePage, filler, patienceMs, log }) {
  const { brokerId } = truth;
  let episode = null;
  let goodPages = 0;
  let wasReset = false;
  const server = createServer((request, response) => {
    const { socket } = request;
    socket.requests = (socket.requests ?? 0) + 1;
    const page = () => writePage(truth.values());
    const kind = episode?.kind;
    // The frozen page is good once.
    const isGood = kind === undefined || (kind === 'frozen' && episode.frozen === undefined);
    if (isGood) {
      const text = page();
      if (kind === 'frozen') episode.frozen = text;
      if (wasReset) log({ brokerId, kind: 'restarted', atMs: nowMs(), bootAtMs: truth.bootAtMs });
      wasReset = false;
      goodPages++;
      sendPage(request, response, text);
      return;
    }
    log({ brokerId, kind, atMs: nowMs(), isReused: socket.requests > 1 });
    const { frozen } = episode;
    void MISBEHAVIOURS[kind]({ request, response, page, frozen, filler, patienceMs });
  });
  // A client that went away is none of the fleet's troubles.
  server.on('clientError', (_, socket) => socket.destroy());
  server.keepAliveTimeout = 60_000;
  const { port } = await listen(server, 0);

  async function beDown(forMs) {
    const fromMs = nowMs();
    // Told at once, for whoever asks before it is over; told again with its end, which may come late.
    log({ brokerId, kind: 'down', atMs: fromMs, untilMs: fromMs + forMs });
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    await new Promise((resolve) => setTimeout(resolve, forMs));
    await listen(server, port);
    log({ brokerId, kind: 'down', atMs: fromMs, untilMs: nowMs() });
  }

  return {
    port,
    goodPages: () => goodPages,
    async live({ kind, forMs }) {
      if (kind === 'down') return beDown(forMs);
      if (kind === 'restart') {
        truth.reboot();
        wasReset = true;
        return beDown(RESTART_MS);
      }
      episode = { kind, frozen: undefined };
      await new Promise((resolve) => setTimeout(resolve, forMs));
      episode = null;
    },
  };
}

async function listen(server, port) {
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server.address();
}
