import { describe, expect, it } from 'vitest';
import { resolveSource } from '../../src/signals/resolve-source.ts';
import type { LookRequest } from '../../src/signals/signal-source.ts';
import { answerNow, fakeSource, looked, snapshotAt } from './fake-source.ts';

const request = {
  idleSelector: null,
  deadlineMs: 2_000,
  nowMs: () => performance.timeOrigin + performance.now(),
};
const SERVED_AGAIN = snapshotAt(request.nowMs());

describe('resolveSource', () => {
  it('takes a page that moves', async () => {
    expect(await resolveSource(fakeSource(answerNow), request)).toMatchObject({ kind: 'resolved' });
  });

  it('refuses a page that is served again, which would make every trial invalid', async () => {
    const again = ({ nowMs }: LookRequest) => looked([{ ...SERVED_AGAIN, atMs: nowMs() }]);
    expect(await resolveSource(fakeSource(again), request)).toEqual({
      kind: 'failed',
      reason: expect.stringContaining('same values again'),
    });
  });
});
