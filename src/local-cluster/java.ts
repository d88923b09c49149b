import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PlimsollError } from '../errors.ts';

/** Kafka 4 brokers need Java 17. */
const LEAST_JAVA = 17;

/**
 * Checks that `java` is there and new enough for a Kafka 4 broker.
 * @throws PlimsollError TOOL_MISSING otherwise.
 */
export async function requireJava(): Promise<void> {
  let banner: string;
  try {
    banner = (await promisify(execFile)('java', ['-version'])).stderr;
  } catch (error) {
    throw new PlimsollError(
      'TOOL_MISSING',
      `The local cluster needs Java ${LEAST_JAVA} or later: install openjdk-17-jre-headless, or run \`make setup\`.`,
      { cause: error },
    );
  }
  const major = Number(/version "(\d+)/.exec(banner)?.[1]);
  if (major >= LEAST_JAVA) return;
  throw new PlimsollError(
    'TOOL_MISSING',
    `The local cluster needs Java ${LEAST_JAVA} or later, but \`java\` is ${banner.split('\n')[0] ?? 'unknown'}: install openjdk-17-jre-headless.`,
  );
}
