import { type LabelMatcher, matchersText, nameMatcher } from './label-matchers.ts';
import { type ApiRequest, PrometheusApi } from './prometheus-api.ts';
import { type PageMetadata, readMetadata } from './prometheus-metadata.ts';
import { isTellingName, TELLING_NAME_PATTERN } from './series-name.ts';
import { ServerClock } from './server-clock.ts';
import type { FailedLook, Look, LookRequest, SignalSource, Snapshot } from './signal-source.ts';
import type { SourceOptions } from './source-options.ts';
import {
  addedLabels,
  DURATION_NAME,
  groupScrapes,
  intervalOf,
  type StoredScrape,
} from './stored-snapshots.ts';

/** Whatever the exporter, the name of the idle meter has this in it; Redpanda's cores are busy instead. */
export const IDLE_NAMES = '(?i:.*requesthandler.*|redpanda_cpu_busy_seconds_total)';

/** How far a first look reaches back: a target scraped more seldom is of no use for a window of seconds, ms. */
const LOOK_BACK_MS = 300_000;
/** Scrapes that a first look brings. */
const FIRST_SCRAPES = 3;
/** A target whose newest scrape is older than so many intervals is down, or its server. */
const LATEST_SCRAPE_INTERVALS = 3;

/**
 * One broker as a Prometheus server scraped it. Nothing is computed by the server: the samples come as they were stored,
 * with their own times, so a window's idle is as exact as from the page itself.
 */
export function prometheusSource(
  url: string,
  target: readonly LabelMatcher[],
  options: SourceOptions,
): SignalSource {
  return new PrometheusSource(new PrometheusApi(url, options), target, options.alsoTelling);
}

class PrometheusSource implements SignalSource {
  readonly kind = 'prometheus';
  readonly place: string;
  private readonly api: PrometheusApi;
  private readonly target: readonly LabelMatcher[];
  private readonly alsoTelling: ReadonlySet<string>;
  private readonly clock: ServerClock;
  private intervalMs: number | null = null;
  private added: ReadonlySet<string> = new Set();
  private metadata: PageMetadata = { help: new Map(), types: new Map() };
  /** Stamp of the newest scrape that was given out. */
  private latestMs = Number.NEGATIVE_INFINITY;

  constructor(api: PrometheusApi, target: readonly LabelMatcher[], alsoTelling: ReadonlySet<string>) {
    this.api = api;
    this.target = target;
    this.alsoTelling = alsoTelling;
    this.clock = new ServerClock(api);
    this.place = `${api.place} {${matchersText(target)}}`;
  }

  get refreshMs(): number {
    return this.intervalMs ?? 0;
  }

  async look({ wanted, deadlineMs, nowMs }: LookRequest): Promise<Look> {
    const startMs = nowMs();
    const request: ApiRequest = {
      nowMs,
      get deadlineMs() {
        return Math.max(1, startMs + deadlineMs - nowMs());
      },
    };
    const clockFailure = await this.clock.refresh(request);
    if (clockFailure !== null) return clockFailure;
    const intervalMs = this.intervalMs ?? (await this.learnTarget(request));
    if (typeof intervalMs !== 'number') return intervalMs;
    if (wanted === 'telling') {
      this.metadata = await readMetadata(this.api, this.target, (name) => this.isTelling(name), request);
    }
    const stored = await this.api.storedSeries(this.selectorOf(wanted, intervalMs, nowMs()), request);
    if (stored.kind === 'failed') return stored;
    const scrapes = groupScrapes(stored.data, this.added, intervalMs, this.latestMs);
    const whole = this.withoutPartial(scrapes, intervalMs, nowMs());
    this.latestMs = whole.at(-1)?.stampMs ?? this.latestMs;
    return {
      kind: 'looked',
      snapshots: whole.map((scrape) => this.snapshotOf(scrape, intervalMs)),
      tookMs: nowMs() - startMs,
      bytes: stored.bytes,
    };
  }

  close(): void {
    this.api.close();
  }

  /** Learns how often the target is scraped and which labels the server adds. */
  private async learnTarget(request: ApiRequest): Promise<number | FailedLook> {
    const named = { label: '__name__', operator: '=~', value: `${DURATION_NAME}|up|${IDLE_NAMES}` } as const;
    const matchers = matchersText([named, ...WHOLE_BROKER, ...this.target]);
    const answer = await this.api.storedSeries(`{${matchers}}[${LOOK_BACK_MS}ms]`, request);
    if (answer.kind === 'failed') return answer;
    const stamps = [
      ...new Set(answer.data.flatMap(({ samples }) => samples.map(({ stampMs }) => stampMs))),
    ].sort((a, b) => a - b);
    const latest = stamps.at(-1);
    if (latest === undefined) {
      return { kind: 'failed', reason: `no series for {${matchersText(this.target)}}: check the selector` };
    }
    const intervalMs = intervalOf(stamps);
    if (intervalMs === null) {
      return { kind: 'failed', reason: `scraped only once in ${LOOK_BACK_MS / 60_000} minutes` };
    }
    const ageMs = this.clock.toServerMs(request.nowMs()) - latest;
    if (ageMs > LATEST_SCRAPE_INTERVALS * intervalMs + 1_000) {
      return {
        kind: 'failed',
        reason: `last scraped ${Math.round(ageMs / 1_000)} s ago; is the target down?`,
      };
    }
    this.added = addedLabels(answer.data);
    this.intervalMs = intervalMs;
    return intervalMs;
  }

  private selectorOf(wanted: LookRequest['wanted'], intervalMs: number, nowMs: number): string {
    const sinceMs = this.clock.toServerMs(nowMs) - this.latestMs + intervalMs;
    const rangeMs = Number.isFinite(sinceMs)
      ? Math.min(LOOK_BACK_MS, Math.max(sinceMs, 2 * intervalMs))
      : FIRST_SCRAPES * intervalMs;
    const named: readonly LabelMatcher[] =
      wanted === 'telling'
        ? [tellingMatcher(this.alsoTelling), ...WHOLE_BROKER]
        : [nameMatcher([...wanted, DURATION_NAME])];
    return `{${matchersText([...named, ...this.target])}}[${Math.ceil(rangeMs)}ms]`;
  }

  private isTelling(name: string): boolean {
    return isTellingName(name) || this.alsoTelling.has(name);
  }

  /** Where samples arrive one by one, the newest scrape may still be coming in: it is for the next look then. */
  private withoutPartial(
    scrapes: readonly StoredScrape[],
    intervalMs: number,
    nowMs: number,
  ): readonly StoredScrape[] {
    const newest = scrapes.at(-1);
    const before = scrapes.at(-2);
    if (newest === undefined || before === undefined) return scrapes;
    const isNew = this.clock.toServerMs(nowMs) - newest.stampMs < intervalMs;
    return isNew && newest.samples.length < before.samples.length ? scrapes.slice(0, -1) : scrapes;
  }

  private snapshotOf({ stampMs, durationMs, samples }: StoredScrape, intervalMs: number): Snapshot {
    // No scrape takes longer than the interval.
    const scrapeMs = durationMs ?? intervalMs;
    return {
      series: { kind: 'parsed', samples, ...this.metadata },
      atMs: this.clock.toRunMs(stampMs) + scrapeMs / 2,
      scrapeMs,
      serverDateMs: null,
    };
  }
}

/** Series of topics and partitions are many and tell nothing about the broker. */
const WHOLE_BROKER: readonly LabelMatcher[] = [
  { label: 'topic', operator: '=', value: '' },
  { label: 'partition', operator: '=', value: '' },
];

function tellingMatcher(alsoTelling: ReadonlySet<string>): LabelMatcher {
  const also = alsoTelling.size === 0 ? '' : `|${nameMatcher(alsoTelling).value}`;
  return { label: '__name__', operator: '=~', value: `${TELLING_NAME_PATTERN}|${DURATION_NAME}${also}` };
}
