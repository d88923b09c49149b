// The exact idle of brokers, with none of Plimsoll's code: Count and age of the meter, read four times a second through a
// Jolokia agent in the same JVM.

const READ_EVERY_MS = 250;
/** Offsets between the meter's age and our clock are taken from reads that took least. */
const BEST_SHARE = 0.2;

export class IdleReference {
  /** @param meter `{ bean, surplus }`: name of the bean, and how much of it is another pool's idle (0 of its own meter). */
  constructor(agentPort, { bean, surplus }, nowMs) {
    this.surplus = surplus;
    this.url = `http://127.0.0.1:${agentPort}/jolokia/read/kafka.server:type=KafkaRequestHandlerPool,name=${bean}/Count,MeanRate`;
    this.nowMs = nowMs;
    this.reads = [];
    this.failures = 0;
    this.timer = null;
  }

  start() {
    let isReading = false;
    this.timer = setInterval(async () => {
      if (isReading) return;
      isReading = true;
      await this.read().catch(() => {
        this.failures += 1;
      });
      isReading = false;
    }, READ_EVERY_MS);
  }

  stop() {
    clearInterval(this.timer);
  }

  async read() {
    const startMs = this.nowMs();
    const answer = await (await fetch(this.url, { signal: AbortSignal.timeout(5_000) })).json();
    const endMs = this.nowMs();
    const { Count: countNs, MeanRate: meanRate } = answer.value;
    if (countNs > 0)
      this.reads.push({
        countNs,
        ageMs: countNs / meanRate / 1e6,
        midMs: (startMs + endMs) / 2,
        tookMs: endMs - startMs,
      });
  }

  /** Reads with their instants on our clock, by the meter's own: how long a read took adds no error. */
  timed() {
    const best = [...this.reads]
      .sort((a, b) => a.tookMs - b.tookMs)
      .slice(0, Math.ceil(this.reads.length * BEST_SHARE));
    const offsets = best.map(({ midMs, ageMs }) => midMs - ageMs).sort((a, b) => a - b);
    const offsetMs = offsets[Math.floor(offsets.length / 2)];
    return this.reads
      .map(({ countNs, ageMs }) => ({ countNs, atMs: ageMs + offsetMs }))
      .sort((a, b) => a.atMs - b.atMs);
  }

  /**
   * Idle by Count over a window, 0..1: the value, and what it may be at least and at most, as Count is known only at the reads
   * around each edge and never falls. Null when the reads do not span the window.
   */
  idleBetween(startAtMs, endAtMs) {
    const reads = this.timed();
    const [start, end] = [countAt(reads, startAtMs), countAt(reads, endAtMs)];
    if (start === null || end === null) return null;
    const windowNs = (endAtMs - startAtMs) * 1e6;
    return {
      ratio: (end.countNs - start.countNs) / windowNs - this.surplus,
      low: (end.low - start.high) / windowNs - this.surplus,
      high: (end.high - start.low) / windowNs - this.surplus,
    };
  }

  /** Range of the idle over parts of the window: how steady the load was. */
  idleRange(startAtMs, endAtMs, parts) {
    const partMs = (endAtMs - startAtMs) / parts;
    const idles = Array.from({ length: parts }, (_, part) =>
      this.idleBetween(startAtMs + part * partMs, startAtMs + (part + 1) * partMs),
    );
    if (idles.includes(null)) return null;
    const ratios = idles.map(({ ratio }) => ratio);
    return { low: Math.min(...ratios), high: Math.max(...ratios) };
  }

  /** Idle of the newest stretch of at least so many ms. */
  recentIdle(stretchMs) {
    const newest = this.reads.at(-1);
    const before = newest && this.reads.findLast(({ ageMs }) => ageMs <= newest.ageMs - stretchMs);
    if (!before) return null;
    return (newest.countNs - before.countNs) / ((newest.ageMs - before.ageMs) * 1e6) - this.surplus;
  }
}

function countAt(reads, atMs) {
  const next = reads.findIndex((read) => read.atMs >= atMs);
  if (next <= 0) return null;
  const [a, b] = [reads[next - 1], reads[next]];
  const share = (atMs - a.atMs) / (b.atMs - a.atMs);
  return { countNs: a.countNs + share * (b.countNs - a.countNs), low: a.countNs, high: b.countNs };
}
