import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { messageRecipe } from '../../src/config/message-recipe.ts';
import { tryLargestMessage } from '../../src/controller/try-largest-message.ts';
import { type ErrorCode, PlimsollError } from '../../src/errors.ts';

/** Tries it on brokers that refuse; returns what was sent and what was said. */
async function refused(flags: Record<string, unknown>, code: ErrorCode = 'MESSAGE_TOO_LARGE') {
  const config = loadConfig({ env: {}, flags: { bpm: '100,1MB', ...flags }, folder: '/nowhere' });
  let sent = 0;
  const sendOne = async (_: string, bytes: number) => {
    sent = bytes;
    throw new PlimsollError(code, 'refused');
  };
  const attempt = tryLargestMessage({ sendOne }, 't', messageRecipe(config), config);
  const message = await attempt.catch((error: unknown) => {
    expect(error).toMatchObject({ code });
    return (error as PlimsollError).message;
  });
  return { sent, message };
}

describe('tryLargestMessage', () => {
  it('sends the largest size that was asked for', async () => {
    expect(await refused({})).toEqual({ sent: 1_000_000, message: 'refused' });
  });

  it.each([
    { flags: { sizes: 'uniform:0.5' }, sent: 1_499_878, why: 'a spread of sizes' },
    { flags: { keys: 'uniform:5', header: ['a=bc'] }, sent: 1_000_015, why: 'key and headers' },
  ])('sends as much as comes of it, and says so: $why', async ({ flags, sent }) => {
    expect(await refused(flags)).toEqual({
      sent,
      message: 'refused (messages of 1 MB get so large by messages.sizes, keys and headers)',
    });
  });

  it('leaves other failures as they are', async () => {
    expect((await refused({ sizes: 'uniform:0.5' }, 'TOPIC_FAILED')).message).toBe('refused');
  });
});
