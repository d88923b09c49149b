import { messageOf } from '../errors.ts';
import { machineNowMs } from '../run-clock.ts';
import type { BrokerAddress, OpenedSource } from '../signals/broker-source.ts';
import { findBrokerSources } from '../signals/find-broker-sources.ts';
import { type OpenedSources, type OpenRequest, openSources } from '../signals/open-sources.ts';
import type { SignalSource, SourceKind } from '../signals/signal-source.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import { checkSource, explainSource } from './check-source.ts';
import type { DoctorTarget } from './doctor-target.ts';
import { placesRemedy } from './signal-remedies.ts';

const MATCHED = 'pages of brokers';

/** What became of the places that were given. */
interface Checked {
  readonly isOpened: boolean;
  readonly hasFailed: boolean;
}

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
  const checked = hasGiven ? yield* checkAll(target, source, () => openSources(request)) : null;
  // What cannot be opened cannot be matched either, and for the same reason.
  if (checked?.isOpened === false) return;
  yield* match(target, request, checked);
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
  yield* checkAll(target, source, () => openSources(places), true);
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
    nowMs: machineNowMs,
  };
}

async function* checkAll(
  target: DoctorTarget,
  kind: SourceKind,
  open: () => Promise<OpenedSources>,
  isExplained = false,
): AsyncGenerator<CheckResult, Checked> {
  let opened: readonly OpenedSource[];
  let hasFailed = false;
  try {
    ({ opened } = await open());
  } catch (error) {
    yield fail('signals', messageOf(error), placesRemedy(kind, messageOf(error)));
    return { isOpened: false, hasFailed: true };
  }
  if (opened.length === 0) {
    yield fail('signals', 'nothing there shows an idle meter', 'check signals.selector and the targets');
  }
  try {
    for (const { source } of opened) {
      for await (const result of checkOne(target, source, isExplained)) {
        hasFailed ||= result.status === 'fail';
        yield result;
      }
    }
  } finally {
    for (const { source } of opened) source.close();
  }
  return { isOpened: true, hasFailed };
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
  checked: Checked | null,
): AsyncGenerator<CheckResult> {
  try {
    const found = await findBrokerSources(request);
    try {
      if (checked === null) for (const { source } of found) yield* checkOne(target, source, false);
    } finally {
      for (const { source } of found) source.close();
    }
    const list = found.map(({ brokerId, proof }) => `${brokerId}: ${proof}`).join('; ');
    const isProven = found.every(({ proof }) => proof !== 'as given, unproven');
    const fix =
      'find will send a little load to each broker to make sure; or export kafka.server:type=app-info,id=*';
    yield isProven ? ok(MATCHED, list) : warn(MATCHED, list, fix);
  } catch (error) {
    const message = messageOf(error);
    const fix =
      checked?.hasFailed === true ? 'correct what failed above' : placesRemedy(request.kind, message);
    yield fail(MATCHED, message, fix);
  }
}
