// What a fake broker really does: an idle share that is set, and counters that follow from it and the time.

/** Milliseconds since the epoch on the machine's monotonic clock, the same in every process but for a fraction. */
export function nowMs() {
  return performance.timeOrigin + performance.now();
}

/** A broker that has been up for a while and is idle for `idleRatio` of the time. */
export function brokerTruth(brokerId, idleRatio) {
  let bootAtMs = nowMs() - 86_400_000 - 3_600_000 * brokerId;
  return {
    brokerId,
    idleRatio,
    get bootAtMs() {
      return bootAtMs;
    },
    /** The process starts anew: every counter from zero. */
    reboot() {
      bootAtMs = nowMs();
    },
    /** Values by series of the page, as they stand now. */
    values() {
      const ageMs = nowMs() - bootAtMs;
      const busy = 1 - idleRatio;
      return {
        idleCountNs: idleRatio * ageMs * 1e6,
        idleMeanRate: idleRatio,
        bytesIn: busy * ageMs * 50_000,
        messagesIn: busy * ageMs * 50,
        replicationBytesIn: busy * ageMs * 100_000,
        cpuSeconds: busy * (ageMs / 1_000),
        startSeconds: bootAtMs / 1_000,
      };
    },
  };
}
