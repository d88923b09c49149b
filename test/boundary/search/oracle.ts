import { type BisectionState, bisection } from '../../../boundary/search/bisection.ts';
import type { Vote } from '../../../boundary/search/bracket.ts';
import type {
  ProbeStep,
  RunProbe,
  RunTrial,
  SearchCommand,
  SearchConfig,
  SearchEvent,
} from '../../../boundary/search/search.ts';
import { step } from '../../../boundary/search/search.ts';
import type { Verdict } from '../../../boundary/verdict.ts';

/** Answers trials from a rule instead of a cluster; all of it a function of the command. */
export type Answer = (trial: RunTrial, count: number) => Verdict['kind'];

export const CONFIG: SearchConfig = {
  sizes: [1_000],
  confirm: 1,
  precision: 0.05,
  targetNp: 50,
  maxNp: 200,
  maxMegabytesPerSecond: null,
  maxTrials: 40,
  idleLimit: 0.2,
  warmUpMs: 3_000,
  windowMs: 10_000,
  isrHoldMs: 6_000,
  probeStepMs: 3_000,
};

export function verdictOf(kind: Verdict['kind']): Verdict {
  switch (kind) {
    case 'sustained':
      return {
        kind,
        worst: { brokerId: 1, idle: { ratio: 0.3, low: 0.3, high: 0.3, estimator: 'count, self-clocked' } },
      };
    case 'overloaded':
      return { kind, rule: 'request-handler idle', brokerId: 1, value: 0.1, limit: 0.2, detail: '' };
    case 'invalid':
      return { kind, reason: 'shard lost', detail: 'test' };
  }
}

export function eventFor(command: RunTrial, kind: Verdict['kind']): SearchEvent {
  const load = command.np * command.unitRate;
  return {
    type: 'trialFinished',
    trialId: command.trialId,
    verdict: verdictOf(kind),
    offeredPerSecond: load,
    ackedPerSecond: load,
    idleByBroker: {},
    windowSeconds: command.windowMs / 1_000,
    atSeconds: 0,
    seconds: 15,
  };
}

/** A probe of a cluster whose idle falls as a logistic curve and crosses 0.2 at `boundary` messages per second. */
export function probeEvent(command: RunProbe, boundary: number): SearchEvent {
  const steps: ProbeStep[] = [];
  for (const unitRate of command.unitRates) {
    const x = Math.log((unitRate * command.np) / boundary);
    const idle = 1 / (1 + Math.exp(Math.log(4) + 1.45 * x));
    steps.push({ unitRate, idle, ackedShare: 1 });
    if (idle < 0.2) break;
  }
  return { type: 'probeFinished', probeId: command.probeId, steps, seconds: 10 };
}

export interface Played {
  readonly events: SearchEvent[];
  readonly commands: SearchCommand[];
  readonly trials: RunTrial[];
  readonly state: BisectionState;
}

/** Runs a whole search against an answer; throws when it does not end. */
export function play(config: SearchConfig, answer: Answer, boundary = 5_000): Played {
  let state = bisection.start(config);
  let command = bisection.ask(state);
  const played: Played = { events: [], commands: [command], trials: [], state };
  for (let i = 0; command.type !== 'done'; i++) {
    if (i > 400) throw new Error('the search does not end');
    let event: SearchEvent;
    if (command.type === 'runProbe') event = probeEvent(command, boundary);
    else {
      played.trials.push(command);
      event = eventFor(command, answer(command, played.trials.length));
    }
    played.events.push(event);
    ({ state, command } = step(bisection, state, event));
    played.commands.push(command);
  }
  return { ...played, state };
}

/** One valid trial of a load as the bracket remembers it. */
export const vote = (np: number, unitRate: number, isSustained: boolean): Vote => ({
  np,
  unitRate,
  isSustained,
  messagesPerSecond: np * unitRate,
  windowMs: 10_000,
  limit: null,
});
