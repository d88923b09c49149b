import { messageOf } from '../errors.ts';
import type { BrokerAddress, OpenedSource } from '../signals/broker-source.ts';
import { findBrokerSources } from '../signals/find-broker-sources.ts';
import { type OpenedSources, type OpenRequest, openSources } from '../signals/open-sources.ts';
import type { SignalSource, SourceKind } from '../signals/signal-source.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import { checkSource, explainSource } from './check-source.ts';
import type { DoctorTarget } from './doctor-target.ts';

const MATCHED = 'pages of brokers';

/** Checks every place that signals are to come from, and which broker's each of them is. */
export async function* checkSignals(
  target: DoctorTarget,
  brokers: readonly BrokerAddress[],
): AsyncGenerator<CheckResult> {
  const { source } = target.signals;
  if (source === 'none') {
    yield warn(
      'signals',
      "none, as asked: verdicts come from delivery alone, the brokers' idle and ISR are not seen",
      'export them (deploy/jmx-exporter/plimsoll.yaml) wherever you can, and leave signals out',
    );
    return;
  }
  const request = requestOf(target, source, brokers);
  const hasGiven = Object.keys(target.metrics).length > 0;
  if (hasGiven) yield* checkAll(target, () => openSources(request));
  yield* match(target, request, hasGiven);
}

/** Looks at the given places alone, each signal on a line of its own: how it is read and why. */
export async function* explainSignals(target: DoctorTarget): AsyncGenerator<CheckResult> {
  const { source } = target.signals;
  if (source === 'none') {
    yield fail('signals', 'none, yet metrics are given', 'leave out one of the two');
    return;
  }
  const request = requestOf(target, source, []);
  const places = { ...request, metrics: [...new Set(Object.values(target.metrics))] };
  yield* checkAll(target, () => openSources(places), true);
}

function requestOf(target: DoctorTarget, kind: SourceKind, brokers: readonly BrokerAddress[]): OpenRequest {
  const { metrics, signals, timeoutMs } = target;
  return {
    kind,
    brokers,
    metrics,
    selector: signals.selector,
    idleSelector: signals.idle,
    options: signals.options,
    deadlineMs: timeoutMs,
    nowMs: () => performance.timeOrigin + performance.now(),
  };
}

async function* checkAll(
  target: DoctorTarget,
  open: () => Promise<OpenedSources>,
  isExplained = false,
): AsyncGenerator<CheckResult> {
  let opened: readonly OpenedSource[];
  try {
    ({ opened } = await open());
  } catch (error) {
    yield fail('signals', messageOf(error), 'correct metrics and signals');
    return;
  }
  if (opened.length === 0) {
    yield fail('signals', 'nothing there shows an idle meter', 'check signals.selector and the targets');
  }
  try {
    for (const { source } of opened) yield* checkOne(target, source, isExplained);
  } finally {
    for (const { source } of opened) source.close();
  }
}

async function* checkOne(
  target: DoctorTarget,
  source: SignalSource,
  isExplained: boolean,
): AsyncGenerator<CheckResult> {
  const { checks, resolution } = await checkSource(source, target);
  yield* checks;
  if (isExplained && resolution !== null) yield* explainSource(resolution);
}

async function* match(
  target: DoctorTarget,
  request: OpenRequest,
  isChecked: boolean,
): AsyncGenerator<CheckResult> {
  try {
    const found = await findBrokerSources(request);
    try {
      if (!isChecked) for (const { source } of found) yield* checkOne(target, source, false);
    } finally {
      for (const { source } of found) source.close();
    }
    const list = found.map(({ brokerId, proof }) => `${brokerId}: ${proof}`).join('; ');
    const isProven = found.every(({ proof }) => proof !== 'as given, unproven');
    const fix =
      'find will send a little load to each broker to make sure; or export kafka.server:type=app-info,id=*';
    yield isProven ? ok(MATCHED, list) : warn(MATCHED, list, fix);
  } catch (error) {
    yield fail(MATCHED, messageOf(error), 'set metrics to one page per broker: 1=URL,2=URL,...');
  }
}
