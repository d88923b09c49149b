import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readValues } from '../../../src/signals/broker-reading.ts';
import { resolveSource } from '../../../src/signals/resolve-source.ts';
import type { Look, LookRequest, SignalSource } from '../../../src/signals/signal-source.ts';

/** Opens sources of one kind. */
export interface SourceScene {
  /** Of a broker of the test's cluster. */
  open(brokerId: number): SignalSource;
  /** Of a broker that is not there. */
  openDead(): SignalSource;
  /** Where the real thing listens. */
  port(): number;
  /** Of broker 1, when asked through another host or port, as in `http://127.0.0.1:1`. */
  openAt(origin: string): SignalSource;
}

export const nowMs = () => performance.timeOrigin + performance.now();

/** What holds for every source of signals, whatever carries them: run it for each kind against real things. */
export function testSignalSource(kind: string, scene: () => SourceScene): void {
  describe(`a ${kind} source`, () => {
    const opened: SignalSource[] = [];
    afterEach(() => {
      for (const source of opened.splice(0)) source.close();
    });
    const keep = (source: SignalSource) => {
      opened.push(source);
      return source;
    };
    const look = (source: SignalSource, request: Partial<LookRequest> = {}): Promise<Look> =>
      source.look({ wanted: 'telling', deadlineMs: 5_000, nowMs, ...request });
    const resolve = (source: SignalSource) =>
      resolveSource(source, { idleSelector: null, deadlineMs: 5_000, nowMs });

    it('tells enough on a first look to resolve the broker', async () => {
      const resolved = await resolve(keep(scene().open(2)));
      if (resolved.kind === 'failed') throw new Error(resolved.reason);
      const { resolution } = resolved;
      expect(resolution.identity).toMatchObject({ brokerId: 2, kafkaVersion: expect.stringMatching(/^4\./) });
      expect(resolution.idle).toMatchObject({ kind: 'request handlers', pool: 'broker' });
      for (const signal of [
        'brokerIdleCount',
        'brokerIdleMeanRate',
        'brokerIdleOneMinuteRate',
        'underReplicatedPartitions',
        'isrShrinks',
        'isrExpands',
        'bytesIn',
        'bytesOut',
        'replicationBytesIn',
        'messagesIn',
        'produceRequests',
        'fetchRequests',
        'requestQueueSize',
        'processCpuSeconds',
        'gcSeconds',
      ] as const) {
        expect(resolution.chosen.has(signal), signal).toBe(true);
      }
    });

    it('brings the wanted series and no other, with their time', async () => {
      const source = keep(scene().open(1));
      const resolved = await resolve(source);
      if (resolved.kind === 'failed') throw new Error(resolved.reason);
      const { wantedNames } = resolved.resolution;
      await expect.poll(() => newest(source, wantedNames), { timeout: 5_000, interval: 500 }).not.toBeNull();
      const snapshot = await untilNew(source, wantedNames);
      expect(snapshot.series.samples.filter(({ name }) => !wantedNames.has(name))).toEqual([]);
      expect(readValues(resolved.resolution, snapshot)).toMatchObject({
        kind: 'values',
        values: { underReplicatedPartitions: 0, idle: { kind: 'request handlers' } },
      });
      expect(Math.abs(nowMs() - snapshot.atMs)).toBeLessThan(2_500);
      expect(snapshot.scrapeMs).toBeGreaterThan(0);
      expect(snapshot.scrapeMs).toBeLessThan(1_000);
    });

    it('brings every snapshot once and in order', async () => {
      const source = keep(scene().open(1));
      const times: number[] = [];
      for (let round = 0; round < 12; round++) {
        const looked = await look(source);
        if (looked.kind === 'failed') throw new Error(looked.reason);
        times.push(...looked.snapshots.map(({ atMs }) => atMs));
        await new Promise((done) => setTimeout(done, 300));
      }
      expect(times.length).toBeGreaterThan(2);
      expect(times.slice(1).filter((time, index) => time - (times[index] ?? 0) < 200)).toEqual([]);
    });

    it('says shortly why there is no look at a dead target', async () => {
      const source = keep(scene().openDead());
      const looked = await look(source);
      expect(looked.kind === 'failed' && looked.reason).toMatch(/^.{5,120}$/);
      expect(looked.kind === 'failed' && looked.reason).not.toContain(source.place);
    });

    it('says shortly that nobody answers at all', async () => {
      const looked = await look(keep(scene().openAt('http://127.0.0.1:1')));
      expect(looked).toEqual({ kind: 'failed', reason: 'connection refused' });
    });

    it('keeps the deadline of the whole look', async () => {
      const silent = await startRelay(null);
      try {
        const startMs = nowMs();
        const looked = await look(keep(scene().openAt(silent.origin)), { deadlineMs: 300 });
        expect(looked).toEqual({ kind: 'failed', reason: 'no whole answer within 300 ms' });
        expect(nowMs() - startMs).toBeGreaterThan(250);
      } finally {
        silent.close();
      }
    });

    it('keeps one connection, and ends it together with what is still asked when it is closed', async () => {
      const relay = await startRelay(scene().port());
      try {
        const source = scene().openAt(relay.origin);
        for (let round = 0; round < 3; round++) expect(await look(source)).toMatchObject({ kind: 'looked' });
        expect(relay.connections()).toBe(1);
        const pending = look(source);
        source.close();
        expect(await pending).toEqual({ kind: 'failed', reason: 'source closed' });
        expect(await look(source)).toEqual({ kind: 'failed', reason: 'source closed' });
        await expect.poll(() => relay.connections()).toBe(0);
      } finally {
        relay.close();
      }
    });

    async function newest(source: SignalSource, wanted: ReadonlySet<string>) {
      const looked = await look(source, { wanted });
      return looked.kind === 'looked' ? (looked.snapshots.at(-1) ?? null) : null;
    }

    async function untilNew(source: SignalSource, wanted: ReadonlySet<string>) {
      for (let round = 0; round < 40; round++) {
        const snapshot = await newest(source, wanted);
        if (snapshot !== null) return snapshot;
        await new Promise((done) => setTimeout(done, 100));
      }
      throw new Error('nothing new in 4 s');
    }
  });
}

interface Relay {
  readonly origin: string;
  /** Open ones. */
  connections(): number;
  close(): void;
}

/** Passes bytes on to a port of loopback and counts who is connected; null: says nothing at all. */
async function startRelay(port: number | null): Promise<Relay> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    if (port === null) return;
    const onward = connect(port, '127.0.0.1');
    onward.on('error', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${address.port}`,
    connections: () => open.size,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
