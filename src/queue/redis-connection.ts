import { Redis } from 'ioredis';
import { messageOf, PlimsollError } from '../errors.ts';

const CONNECT_TIMEOUT_MS = 3_000;
const RETRY_MS = 250;
/** A Redis that answers nothing for this long is lost to a trial, ms. */
export const REDIS_LOST_MS = 5_000;

/**
 * Opens a connection that reconnects for ever and never raises an error by itself; `guarded` tells when it is gone.
 * @throws PlimsollError REDIS_UNREACHABLE when the first connect fails.
 */
export async function openRedis(redisUrl: string): Promise<Redis> {
  let wasReady = false;
  let lastError: unknown = null;
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // BullMQ asks for null; commands wait for the connection, `guarded` limits how long.
    maxRetriesPerRequest: null,
    retryStrategy: () => (wasReady ? RETRY_MS : null),
  });
  // Without a listener ioredis prints every failed reconnect.
  redis.on('error', (error) => {
    lastError = error;
  });
  try {
    await redis.connect();
    wasReady = true;
    return redis;
  } catch (error) {
    redis.disconnect();
    const reason = messageOf(lastError ?? error);
    const text = `no Redis answers at ${maskPassword(redisUrl)}: is it running, is the URL right? (${reason})`;
    throw new PlimsollError('REDIS_UNREACHABLE', text, { cause: error });
  }
}

/**
 * Waits for a Redis operation, at most 5 s.
 * @throws PlimsollError REDIS_LOST when it takes longer or the connection is closed.
 */
export async function guarded<T>(operation: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lost(`no answer for ${REDIS_LOST_MS / 1_000} s`)), REDIS_LOST_MS);
  });
  const work = operation();
  // When the deadline wins, the late failure of the operation belongs to nobody.
  work.catch(() => {});
  try {
    return await Promise.race([work, deadline]);
  } catch (error) {
    throw error instanceof PlimsollError ? error : lost(messageOf(error), error);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `work` at most `limitMs`; swallows its failure. For closing, where nothing else can be done. */
export async function withinDeadline(work: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work.catch(() => {}), deadline]);
  clearTimeout(timer);
}

function lost(reason: string, cause?: unknown): PlimsollError {
  return new PlimsollError(
    'REDIS_LOST',
    `Redis was lost in mid-run (${reason}): start it again, then resume the run`,
    {
      cause,
    },
  );
}

function maskPassword(redisUrl: string): string {
  return redisUrl.replace(/:\/\/([^:@/]*):[^@/]*@/, '://$1:***@');
}
