// Checks polls against what the fleet knows: every grid point of every broker has exactly one poll, every missed one a
// cause in the fleet's log, every trouble of the log a missed poll, and every reading a Count that is true.

const CUT_OFF = /^(connection reset|socket hang up|read ECONNRESET)$/;
const CUT_SHORT = /^(connection reset|socket hang up|read ECONNRESET|answer ends too early)$/;
const NOT_IN_TIME = /^no whole answer within/;

/** Reasons that a poll may give for what the fleet did at its point; null: none of its own. */
const REASONS = {
  hang: NOT_IN_TIME,
  'slow loris': NOT_IN_TIME,
  'half-closed': CUT_OFF,
  'half-closed in the body': CUT_SHORT,
  'reset in the body': CUT_SHORT,
  'status 500': /^HTTP 500/,
  frozen: /^stale page$/,
  truncated: /^page ends (too early|within)/,
  down: /^(connection refused|connection reset|socket hang up|read ECONNRESET)$/,
  restarted: /^broker restarted$/,
  slow: null,
  huge: null,
};
/** Kinds that need not leave a missed poll. */
const MAY_PASS = ['slow', 'huge', 'down'];
const HELD = 'scrape before it still running';
/** The machine was too busy to poll: told, and no fault of the account. */
const LATE = 'poller was late';
const UNCONFIRMED = 'series not confirmed by a second look yet';
/** The page is of a moment within the scrape, but for two clocks read in two processes. */
const CLOCK_MS = 5;

export class PollAudit {
  #plan;
  #byBroker;
  #onFault;
  readings = 0;
  missed = new Map();
  answeredLate = 0;
  faults = 0;
  /** Answers that were good but not in time, for want of a processor. */
  starved = 0;

  /**
   * @param plan `brokers` of the fleet, `originMs`, `intervalMs` and `deadlineMs` of the poller.
   * @param onFault told what is wrong, at once.
   */
  constructor(plan, onFault) {
    this.#onFault = onFault;
    this.#plan = plan;
    this.#byBroker = new Map(
      plan.brokers.map(({ brokerId, idleRatio, bootAtMs }) => {
        const boots = [bootAtMs];
        return [
          brokerId,
          { idleRatio, boots, points: new Map(), log: [], looks: [], settled: 0, isConfirmed: false },
        ];
      }),
    );
  }

  onPoll(poll) {
    const broker = this.#byBroker.get(poll.brokerId);
    if (poll.kind === 'missed' && poll.isAnsweredLate) {
      this.answeredLate++;
      return;
    }
    // A look may begin late, but looks come in order: it is of the first point that has no poll yet.
    const point = poll.kind === 'missed' ? this.#pointAt(poll.atMs + 2) : firstOpen(broker);
    if (point < broker.settled || broker.points.has(point) || point > this.#pointAt(poll.atMs + 2)) {
      this.#fault(`broker ${poll.brokerId}: point ${point} has a second poll (${poll.reason ?? 'reading'})`);
      return;
    }
    // A poll is told as soon as its look has ended.
    broker.points.set(point, { poll, look: broker.looks.at(-1) });
    if (poll.kind === 'missed') this.missed.set(poll.reason, (this.missed.get(poll.reason) ?? 0) + 1);
    else this.#checkReading(broker, poll);
  }

  /** The source of a broker, each look at it noted. */
  watched(brokerId, source, nowMs) {
    const broker = this.#byBroker.get(brokerId);
    const look = async (request) => {
      const noted = { atMs: nowMs(), untilMs: Number.POSITIVE_INFINITY };
      broker.looks.push(noted);
      const answer = await source.look(request);
      noted.untilMs = nowMs();
      return answer;
    };
    return {
      kind: source.kind,
      place: source.place,
      refreshMs: source.refreshMs,
      look,
      close: () => source.close(),
    };
  }

  onLog(entry) {
    const broker = this.#byBroker.get(entry.brokerId);
    if (entry.kind === 'restarted') broker.boots.push(entry.bootAtMs);
    broker.log.push({ ...entry, isMatched: MAY_PASS.includes(entry.kind) });
  }

  /** Judges all points before `untilMs`; to be called when nothing can come for them any more. */
  settle(untilMs) {
    const { originMs, intervalMs, deadlineMs } = this.#plan;
    const isPast = ({ atMs, untilMs: endMs = atMs }) => endMs < untilMs - 3 * deadlineMs;
    const end = Math.floor((untilMs - originMs) / intervalMs);
    for (const [brokerId, broker] of this.#byBroker) {
      for (let point = broker.settled; point < end; point++) {
        const told = broker.points.get(point);
        if (told === undefined) this.#fault(`broker ${brokerId}: nothing for point ${point}`);
        else if (told.poll.kind === 'missed') this.#explain(broker, told, point);
        else broker.isConfirmed = true;
        broker.points.delete(point);
      }
      broker.settled = Math.max(broker.settled, end);
      for (const entry of broker.log.filter(isPast)) {
        // A connection that closes while it is kept open is asked again: that answer may have been good.
        const isRetried = entry.kind === 'half-closed' && entry.isReused;
        if (!entry.isMatched && !isRetried) {
          this.#fault(
            `broker ${brokerId}: ${entry.kind} at point ${this.#pointAt(entry.atMs)} left no missed poll`,
          );
        }
      }
      broker.log = broker.log.filter((entry) => !isPast(entry));
      broker.looks = broker.looks.filter((look) => !isPast(look));
    }
  }

  #pointAt(timeMs) {
    return Math.floor((timeMs - this.#plan.originMs) / this.#plan.intervalMs);
  }

  #checkReading({ idleRatio, boots }, { brokerId, idle, atMs, scrapeMs }) {
    this.readings++;
    const ageMs = idle.countNs / (idleRatio * 1e6);
    const isTrue = boots.some((boot) => Math.abs(boot + ageMs - atMs) <= scrapeMs / 2 + CLOCK_MS);
    if (!isTrue)
      this.#fault(
        `broker ${brokerId}: untrue Count ${idle.countNs} at point ${this.#pointAt(atMs)} (scrape ${scrapeMs} ms)`,
      );
  }

  #explain(broker, { poll, look }, point) {
    const { deadlineMs } = this.#plan;
    const { brokerId, reason } = poll;
    if (reason === LATE) return;
    if (reason === UNCONFIRMED && !broker.isConfirmed) return;
    if (reason === HELD) {
      if (look.untilMs >= poll.atMs) return;
      this.#fault(`broker ${brokerId}: point ${point} waited for a look, but there was none`);
      return;
    }
    // A request that was given up may be taken yet.
    const isGivenUp = NOT_IN_TIME.test(reason);
    const untilMs = look.untilMs + (isGivenUp ? deadlineMs : CLOCK_MS);
    const causes = broker.log.filter(
      ({ atMs, untilMs: endMs = atMs }) => atMs <= untilMs && endMs >= look.atMs - CLOCK_MS,
    );
    const fitting = causes.filter(({ kind }) => REASONS[kind]?.test(reason));
    for (const cause of isGivenUp ? causes : fitting) cause.isMatched = true;
    if (fitting.length > 0) return;
    if (isGivenUp && look.untilMs - look.atMs >= deadlineMs - CLOCK_MS) {
      this.starved++;
      return;
    }
    const did = causes.map(({ kind }) => kind).join(', ') || 'nothing';
    this.#fault(`broker ${brokerId}: point ${point} missed (${reason}), the fleet did ${did}`);
  }

  #fault(text) {
    this.faults++;
    this.#onFault(text);
  }
}

function firstOpen({ settled, points }) {
  let point = settled;
  while (points.has(point)) point++;
  return point;
}
