// Counts: in many short trials the sum of what the producers say was acknowledged must be what the topic grew by, to the
// message, with acks=1 and acks=all; and the bytes that the brokers count must be those that were sent. Real cluster of three
// brokers, exit 0 when all trials agree, else 1. About 14 s a trial.
//
//   npm run build && node test/outside/exactness.mjs [--trials 50] [--acks 1,all] [--dist dist]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { importProgram, openTrialBench, verdictName } from './trial-bench.mjs';

const { values: args } = parseArgs({
  options: {
    trials: { type: 'string', default: '50' },
    dist: { type: 'string', default: join(import.meta.dirname, '../../dist') },
    acks: { type: 'string', default: '1,all' },
  },
});
const PLANS = [
  { messageBytes: 100, np: 10, unitRate: 200 },
  { messageBytes: 1_000, np: 10, unitRate: 60 },
  { messageBytes: 10_000, np: 5, unitRate: 30 },
];
const WINDOW = { warmUpMs: 3_000, windowMs: 5_000 };
const program = await importProgram(resolve(args.dist));
const directory = mkdtempSync(join(tmpdir(), 'plimsoll-exact-'));
const cluster = await program.startLocalCluster({ directory, keepRunning: false });
const wrong = [];
const differences = [];
let clean = 0;
let total = 0;
try {
  for (const acks of args.acks.split(',')) await countWith(acks);
} finally {
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
}
for (const line of wrong) console.log(line);
const worst = differences.sort((a, b) => Math.abs(b.share) - Math.abs(a.share)).slice(0, 5);
console.log(`\nbytes in against bytes sent, the largest differences of ${differences.length} trials:`);
for (const { share, unsure, plan } of worst) {
  console.log(
    `  ${(100 * share).toFixed(3)} % at ${plan.messageBytes} B (${(100 * unsure).toFixed(3)} % unsure)`,
  );
}
console.log(`\n${total} trials, ${clean} clean, ${wrong.length} wrong`);
process.exit(wrong.length === 0 ? 0 : 1);

async function countWith(acks) {
  const bench = await openTrialBench(program, { cluster, flags: { producer: [`acks=${acks}`] } });
  try {
    for (let trial = 0; trial < Number(args.trials); trial += 1) {
      const plan = { ...PLANS[trial % PLANS.length], ...WINDOW };
      check(acks, plan, await bench.trial(plan));
    }
  } finally {
    await bench.close();
  }
}

function check(acks, plan, { evidence, verdict }) {
  const { shards, endOffsetGrowth } = evidence;
  const sum = (count) => shards.reduce((all, shard) => all + shard[count], 0);
  const [acked, failed, undelivered] = ['acked', 'failed', 'undelivered'].map(sum);
  const balance = program.byteBalance(evidence);
  const share = balance === null ? null : balance.counted / balance.sent - 1;
  const bytes = share === null ? 'bytes unknown' : `bytes ${(100 * share).toFixed(3)} %`;
  total += 1;
  const line = `acks=${acks} ${plan.messageBytes} B: ${acked} acknowledged, topic grew by ${endOffsetGrowth}, ${bytes}, ${verdictName(verdict)}`;
  console.log(`${String(total).padStart(3)}  ${line}`);
  // What failed or was given up has a fate of its own: such a trial is not clean.
  if (failed + undelivered === 0 && shards.length === evidence.shardsExpected) {
    clean += 1;
    if (acked !== endOffsetGrowth) wrong.push(`WRONG  ${line}`);
  }
  if (verdict.kind === 'invalid' && verdict.reason === 'not reconciled')
    wrong.push(`INVALID  ${line} (${verdict.detail})`);
  if (balance !== null) differences.push({ share, unsure: balance.unsure / balance.sent, plan });
}
