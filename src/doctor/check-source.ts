import { formatBytes } from '../../boundary/units.ts';
import { formatSeconds } from '../../charts/number-text.ts';
import { LOOKS_IN_WINDOW } from '../controller/signal-timing.ts';
import { messageOf } from '../errors.ts';
import { machineNowMs } from '../run-clock.ts';
import { intervalFor } from '../signals/poll-interval.ts';
import type { PageResolution } from '../signals/resolve-series.ts';
import { resolveSource } from '../signals/resolve-source.ts';
import type { Looked, SignalSource, SourceKind } from '../signals/signal-source.ts';
import { judgePageClock } from './check-page-clock.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DoctorTarget } from './doctor-target.ts';
import { lookRemedy, pageRemedy } from './signal-remedies.ts';

export interface SourceFindings {
  readonly checks: readonly CheckResult[];
  /** null when the source does not answer or has no idle that can be trusted. */
  readonly resolution: PageResolution | null;
}

/** Polled as often as this a broker is when its scrapes are cheap, ms. */
const ASKED_INTERVAL_MS = 1_000;

/** The window of a trial when nothing else is asked for, ms. */
const USUAL_WINDOW_MS = 15_000;

/** Checks that a source answers, how the broker's idle would be had from it, and what one look costs. */
export async function checkSource(
  source: SignalSource,
  { signals, timeoutMs }: Pick<DoctorTarget, 'signals' | 'timeoutMs'>,
): Promise<SourceFindings> {
  const name = `${NAMES[source.kind]} ${shortPlace(source.place)}`;
  const request = { idleSelector: signals.idle, deadlineMs: timeoutMs, nowMs: machineNowMs };
  try {
    const resolved = await resolveSource(source, request);
    if (resolved.kind === 'failed') {
      const text = `${source.place}: ${resolved.reason}`;
      const refused = fail(name, text, lookRemedy(source.kind, text));
      return { checks: [refused], resolution: null };
    }
    const { resolution } = resolved;
    // Connecting and the exporter's first page are paid once; this look is what a run would pay each time.
    const look = await source.look({ wanted: resolution.wantedNames, ...request });
    return {
      checks: [
        ok(name, identityText(resolution)),
        ...checkIdle(source, resolution),
        ...checkGaps(name, resolution),
        ...(look.kind === 'looked' ? checkLook(source, look) : []),
      ],
      resolution,
    };
  } catch (error) {
    return { checks: [fail(name, messageOf(error), pageRemedy(error))], resolution: null };
  }
}

const NAMES: Readonly<Record<SourceKind, string>> = {
  scrape: 'page',
  prometheus: 'prometheus',
  jolokia: 'jolokia',
};

/** One line for each signal: which series it is read from and how that is known. */
export function explainSource(resolution: PageResolution): readonly CheckResult[] {
  return resolution.explanations.map(({ title, isFound, text, remedy }) => {
    const detail = text.startsWith(`${title}: `) ? text.slice(title.length + 2) : text;
    return isFound || remedy === null ? ok(title, detail) : warn(title, detail, remedy);
  });
}

function identityText({ identity, place }: PageResolution): string {
  const { brokerId, kafkaVersion, exporter } = identity;
  const facts = [
    brokerId === null ? 'does not name its broker' : `broker ${brokerId}`,
    ...(kafkaVersion === null ? [] : [`Kafka ${kafkaVersion}`]),
    ...(exporter === null ? [] : [exporter]),
  ];
  return facts.join(', ') || place;
}

/** How exact the idle can be had, which decides how long trials take. */
function checkIdle(source: SignalSource, { idle }: PageResolution): readonly CheckResult[] {
  const name = `idle ${shortPlace(source.place)}`;
  const isExact = idle.kind === 'cores' || idle.attributes.includes('Count');
  if (isExact) return [ok(name, idle.sentence)];
  const fix =
    'export the Count of kafka.server:type=KafkaRequestHandlerPool,name=RequestHandlerAvgIdlePercent ' +
    '(deploy/jmx-exporter/plimsoll.yaml), and trials are short and exact';
  return [warn(name, idle.sentence, fix)];
}

function checkLook(source: SignalSource, look: Looked): readonly CheckResult[] {
  const place = shortPlace(source.place);
  const latest = look.snapshots.at(-1);
  if (source.kind === 'prometheus') return [checkSamples(place, source.refreshMs)];
  const clock = latest === undefined ? [] : [judgePageClock(place, latest)];
  const name = `scrape ${place}`;
  const cost = `one look takes ${look.tookMs.toFixed(0)} ms, ${formatBytes(look.bytes)} over the wire`;
  const costs = new Map([[0, { medianMs: look.tookMs, bytes: look.bytes, looks: 1 }]]);
  const { intervalMs } = intervalFor(costs, ASKED_INTERVAL_MS);
  if (intervalMs <= ASKED_INTERVAL_MS) return [ok(name, cost), ...clock];
  const slow = `${cost}: part of the broker's load, so it is polled only every ${intervalMs / 1_000} s`;
  const fix = 'limit the exporter with includeObjectNames, as deploy/jmx-exporter/plimsoll.yaml does';
  return [warn(name, slow, fix), ...clock];
}

/** How far apart the samples of a Prometheus are, and how long that makes each trial. */
export function checkSamples(place: string, refreshMs: number): CheckResult {
  const name = `samples ${place}`;
  const leastWindowMs = LOOKS_IN_WINDOW * refreshMs;
  const every = `one every ${formatSeconds(refreshMs / 1_000)}`;
  if (leastWindowMs <= USUAL_WINDOW_MS) return ok(name, every);
  const long = `${every}: a window takes ${LOOKS_IN_WINDOW}, so each lasts at least ${formatSeconds(leastWindowMs / 1_000)}`;
  const fix =
    "let Prometheus scrape the brokers every 1 to 3 s during the run, or read the brokers' pages themselves";
  return warn(name, long, fix);
}

/** Signals that a verdict can do without, but is poorer for. */
function checkGaps(name: string, resolution: PageResolution): readonly CheckResult[] {
  const needed = ['underReplicatedPartitions', 'isrShrinks', 'isrExpands', 'bytesIn'];
  const missing = resolution.explanations.filter(
    ({ signal, isFound }) => !isFound && needed.includes(signal),
  );
  if (missing.length === 0) return [];
  const titles = missing.map(({ title }) => title).join(', ');
  const remedies = missing.flatMap(({ remedy }) => (remedy === null ? [] : [remedy]));
  return [warn(name, `without ${titles}`, remedies.join('; ') || 'widen the rules of the exporter')];
}

/** host:port of what is looked at, with an unusual path; of a target in Prometheus its instance. */
function shortPlace(place: string): string {
  const instance = /\binstance="([^"]+)"/.exec(place)?.[1];
  if (instance !== undefined) return instance;
  if (!URL.canParse(place)) return place;
  // Behind a proxy it is the path that tells one broker from another.
  const { host, pathname } = new URL(place);
  return /^\/(metrics|public_metrics|jolokia)?\/?$/.test(pathname) ? host : `${host}${pathname}`;
}
