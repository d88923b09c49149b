import { Command } from 'commander';
import { afterEach, expect, it } from 'vitest';
import { addDoctorCommand } from '../../src/cli/doctor.ts';
import type { DoctorTarget } from '../../src/doctor/doctor-target.ts';
import { PLAIN_SOURCE } from '../../src/signals/source-options.ts';
import { idlePage, type MetricsServer, sendText, startMetricsServer } from '../signals/metrics-server.ts';

let server: MetricsServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function runDoctor(
  page: string | (() => string),
  args: readonly string[] = [],
): Promise<{ output: string; status: number }> {
  server = await startMetricsServer((_, response) =>
    sendText(response, typeof page === 'string' ? page : page()),
  );
  const target: DoctorTarget = {
    nodeVersion: process.versions.node,
    client: null,
    metrics: [server.url],
    signals: { source: 'scrape', selector: null, idle: null, options: PLAIN_SOURCE },
    redisUrl: null,
    namespace: 'test',
    home: '.',
    localClusterDirectory: null,
    byteBudget: null,
    timeoutMs: 1_000,
  };
  let output = '';
  let status = 0;
  const program = new Command().exitOverride();
  addDoctorCommand(program, {
    target: () => target,
    write: (text) => {
      output += text;
    },
    columns: null,
    setExitCode: (code) => {
      status = code;
    },
  });
  await program.parseAsync(['node', 'plimsoll', 'doctor', ...args]);
  return { output, status };
}

/** Of broker 3, `ageMs` old at the first look. */
function movingPage(ageMs: number): () => string {
  let firstMs: number | null = null;
  return () => {
    firstMs ??= performance.now();
    return idlePage(ageMs + performance.now() - firstMs, { id: 3 });
  };
}

it('explains a page in aligned lines and ends with 0', async () => {
  const { output, status } = await runDoctor(movingPage(5_000));
  expect(status).toBe(0);
  expect(output).toMatch(/^ok {4}page 127\.0\.0\.1:\d+ +broker 3, Kafka 4\.4\.0$/m);
  expect(output).toMatch(/^ok {4}idle \S+ +idle by Count, clocked by the page itself/m);
  expect(output).toMatch(
    /^ok {4}request-handler idle \(broker\) {3}kafka_\S+ = 5[\d.]+ \(Count by its name\)$/m,
  );
  expect(output).toMatch(
    /^warn {2}ISR shrinks {21}not on the page\n {38}fix: export the Count of \S+IsrShrinksPerSec$/m,
  );
  expect(output).toMatch(/\d+ ok, \d+ to look at, 0 failed\n$/);
});

it('ends with 1 and says how to fix a page that is not enough', async () => {
  const { output, status } = await runDoctor('up 1\n');
  expect(status).toBe(1);
  expect(output).toMatch(/^FAIL .*has no request-handler idle/m);
  expect(output).toMatch(/^ {38}fix: change the exporter's rules/m);
});

it('prints one JSON document with --json', async () => {
  const { output, status } = await runDoctor('up 1\n', ['--json']);
  expect(status).toBe(1);
  expect(JSON.parse(output)).toMatchObject({
    ok: false,
    checks: [{ status: 'fail', fix: expect.any(String) }],
  });
});
