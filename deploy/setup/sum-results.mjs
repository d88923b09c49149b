// Sums the exit statuses and vitest's JSON results that test.sh leaves in a folder, prints the closing line and keeps it in
// `closing-line`. A check without JSON counts as one; so does a suite that failed although no test of it did (a file that
// does not load, an error outside of any test). Exit status 1 unless everything passed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? '.cache/test';
const sum = { passed: 0, failed: 0, skipped: 0 };

for (const file of readdirSync(folder).filter((name) => name.endsWith('.status'))) {
  const name = file.slice(0, -'.status'.length);
  const hasSucceeded = readFileSync(join(folder, file), 'utf8') === '0';
  const json = join(folder, `${name}.json`);
  const tests = existsSync(json) ? readTests(json) : null;
  if (tests === null) {
    // vitest writes no JSON when there was nothing to run, and none when it crashed.
    if (!hasSucceeded) sum.failed += 1;
    else if (['lint', 'types', 'build'].includes(name)) sum.passed += 1;
    continue;
  }
  sum.passed += tests.passed;
  sum.failed += tests.failed === 0 && !hasSucceeded ? 1 : tests.failed;
  sum.skipped += tests.skipped;
}

const line = `${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`;
writeFileSync(join(folder, 'closing-line'), `${line}\n`);
console.log(`\n${line}`);
process.exit(sum.failed === 0 && sum.passed > 0 ? 0 : 1);

function readTests(json) {
  let report;
  try {
    report = JSON.parse(readFileSync(json, 'utf8'));
  } catch {
    return null;
  }
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
