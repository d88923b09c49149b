// A network path that is slow: passes TCP on, no more bytes per second towards the brokers than there is room for.
import { connect, createServer } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const PIECE_BYTES = 16_384;

/** A path for all connections together. `setLimit` makes it slow under way. */
export class SlowPath {
  #bytesPerSecond = Number.POSITIVE_INFINITY;
  /** When the path is free again. */
  #freeAtMs = 0;
  #servers = [];
  #sockets = new Set();

  setLimit(bytesPerSecond) {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Listens at each port and passes on to the port of the same place. */
  async open(ports, targetPorts) {
    for (const [index, port] of ports.entries()) {
      const server = createServer((client) => this.#join(client, targetPorts[index]));
      await new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, '127.0.0.1', resolve);
      });
      this.#servers.push(server);
    }
  }

  close() {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client, targetPort) {
    const broker = connect(targetPort, '127.0.0.1');
    for (const socket of [client, broker]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        broker.destroy();
      });
    }
    client.pipe(this.#throttle()).pipe(broker);
    broker.pipe(client);
  }

  #throttle() {
    const wait = (bytes) => this.#wait(bytes);
    return new Transform({
      highWaterMark: PIECE_BYTES,
      async transform(chunk, _, done) {
        for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
          const piece = chunk.subarray(at, at + PIECE_BYTES);
          await wait(piece.length);
          this.push(piece);
        }
        done();
      },
    });
  }

  async #wait(bytes) {
    const nowMs = performance.now();
    this.#freeAtMs = Math.max(nowMs, this.#freeAtMs) + (bytes / this.#bytesPerSecond) * 1_000;
    const waitMs = this.#freeAtMs - nowMs;
    if (waitMs >= 1) await sleep(waitMs);
  }
}
