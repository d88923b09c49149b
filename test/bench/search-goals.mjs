// The goals of the search, and which of them a run of the benchmark misses.
import { summarise } from './search-tables.mjs';

const GOALS = {
  hit: 0.95,
  trials: 48,
  hours: 0.8,
  covered: 0.93,
  doseShare: 1 / 3,
  answers: 0.95,
  rerunTrials: 3,
  rerunRight: 0.95,
  curveCovered: 0.93,
  curveHit: 0.95,
  /** With noise as measured; other noise is told only later in a run. */
  etaAtHalf: 0.8,
  decisionMs: 50,
};

export function judgeGoals({ main, peers, reruns, curves, etas, robustness, decisionMs }) {
  const misses = [];
  const usual = summarise(main.filter(({ world }) => world.noiseFactor === 1));
  const check = (holds, text) => {
    if (!holds) misses.push(text);
  };
  check(usual.hit >= GOALS.hit, `within 5 %: ${percent(usual.hit)} of ${percent(GOALS.hit)}`);
  check(usual.trials <= GOALS.trials, `trials: ${usual.trials.toFixed(1)}, at most ${GOALS.trials}`);
  check(usual.hours <= GOALS.hours, `hours: ${usual.hours.toFixed(2)}, at most ${GOALS.hours}`);
  let least = 1;
  for (const cell of cells(main)) {
    const { covered } = summarise(cell.results);
    least = Math.min(least, covered);
    check(
      covered >= GOALS.covered,
      `covered, ${cell.name}: ${percent(covered)} of ${percent(GOALS.covered)}`,
    );
  }
  const doses = doseShares(main, peers);
  for (const { noise, share } of doses) {
    check(share <= GOALS.doseShare, `overload dose, noise x${noise}: ${percent(share)} of plain bisection's`);
  }
  for (const { kind, summary } of robustness) {
    if (!kind.answers) continue;
    const share = kind.answers === 'at least' ? summary.atLeast : summary.atMost;
    check(share >= GOALS.answers, `${kind.name}: ${percent(share)} end as ${kind.answers}`);
  }
  for (const { kind, summary } of reruns) {
    if (!kind.answer) continue;
    const { trials } = summary;
    const right = summary[kind.answer];
    check(right >= GOALS.rerunRight, `rerun, ${kind.name}: ${percent(right)} ${kind.answer}`);
    if (kind.answer === 'confirmed') {
      check(trials <= GOALS.rerunTrials, `rerun, ${kind.name}: ${trials.toFixed(2)} trials per size`);
    }
  }
  const [curve] = curves;
  check(
    curve.summary.hit >= GOALS.curveHit,
    `curve within 10 %: ${percent(curve.summary.hit)} of ${percent(GOALS.curveHit)}`,
  );
  check(
    curve.summary.covered >= GOALS.curveCovered,
    `curve covered: ${percent(curve.summary.covered)} of ${percent(GOALS.curveCovered)}`,
  );
  for (const { name, summary } of etas.filter(({ name }) => name === 'ten sizes, noise x1')) {
    check(
      summary.half >= GOALS.etaAtHalf,
      `time at half-time, ${name}: ${percent(summary.half)} within 30 %`,
    );
  }
  check(decisionMs <= GOALS.decisionMs, `decision: ${decisionMs.toFixed(1)} ms, at most ${GOALS.decisionMs}`);
  const dose =
    doses.length === 0
      ? ''
      : `, overload dose ${percent(Math.max(...doses.map(({ share }) => share)))} of plain bisection's`;
  const line = `${percent(usual.hit)} of points within 5 % in ${usual.trials.toFixed(1)} trials and ${usual.hours.toFixed(2)} h, intervals cover at least ${percent(least)} in every family and noise${dose}`;
  return { misses, line };
}

function cells(main) {
  const names = new Set(main.map(({ world }) => `${world.family}, noise x${world.noiseFactor}`));
  return [...names].map((name) => ({
    name,
    results: main.filter(({ world }) => name === `${world.family}, noise x${world.noiseFactor}`),
  }));
}

function doseShares(main, peers) {
  const noises = new Set(peers.map(({ world }) => world.noiseFactor));
  return [...noises].map((noise) => {
    const plain = peers.filter(
      ({ method, world }) => method === 'plain bisection' && world.noiseFactor === noise,
    );
    const seeds = new Set(plain.map(({ seed }) => seed));
    const same = main.filter(({ seed, world }) => world.noiseFactor === noise && seeds.has(seed));
    return { noise, share: summarise(same).dose / summarise(plain).dose };
  });
}

const percent = (ratio) => `${(100 * ratio).toFixed(1)} %`;
