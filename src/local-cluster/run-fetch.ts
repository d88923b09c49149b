import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { messageOf, PlimsollError } from '../errors.ts';
import { packageRoot } from './package-root.ts';

/**
 * Runs one of the fetch scripts of deploy/local.
 * @returns null when it succeeded, else what it wrote.
 * @throws PlimsollError TOOL_MISSING without Maven.
 */
export async function runFetch(script: string, args: readonly string[]): Promise<string | null> {
  const file = join(packageRoot(), 'deploy', 'local', script);
  const { status, output } = await run('sh', [file, ...args]);
  if (status === 0) return null;
  if (status === 127 || /mvn: (command )?not found/.test(output)) {
    throw new PlimsollError(
      'TOOL_MISSING',
      'Maven is needed to fetch Kafka: install maven, or run `make setup`.',
    );
  }
  return output;
}

/** The line of Maven's output that tells what went wrong. */
export function fetchError(output: string): string {
  const line = output.split('\n').find((text) => text.includes('[ERROR]')) ?? output.trim();
  return messageOf(line).slice(0, 300);
}

function run(command: string, args: readonly string[]): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output }));
  });
}
