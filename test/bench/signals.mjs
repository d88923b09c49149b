// Measures how cheap looking is: parsing a page of megabytes, and polling a fleet. Needs dist/ (npm run build).
// Usage: npm run bench:signals
import { existsSync } from 'node:fs';
import { runParsingBench } from './parsing.mjs';

const POLLING = new URL('./polling.mjs', import.meta.url);

/** Columns as wide as their widest cell; numbers stand right. */
function printTable(rows) {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((column) =>
    Math.max(column.length, ...rows.map((row) => String(row[column]).length)),
  );
  const lineOf = (cells) =>
    cells
      .map((cell, index) =>
        Number.isNaN(Number(cell)) ? cell.padEnd(widths[index]) : cell.padStart(widths[index]),
      )
      .join('  ');
  console.log(lineOf(columns));
  for (const row of rows) console.log(lineOf(columns.map((column) => String(row[column]))));
  console.log();
}

const benches = [runParsingBench];
if (existsSync(POLLING)) benches.push((await import(POLLING.href)).runPollingBench);
const results = [];
for (const bench of benches) {
  const result = await bench();
  printTable(result.rows);
  results.push(result);
}
const holds = results.every((result) => result.holds);
console.log(`${holds ? 'goals hold' : 'GOALS MISSED'}: ${results.map(({ summary }) => summary).join('; ')}`);
process.exitCode = holds ? 0 : 1;
