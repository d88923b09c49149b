import type { ReaderTick, Window } from '../boundary/trial.ts';

/** How a group stands when its reading ends. */
export interface GroupEnd {
  readonly group: string;
  /** Messages that there were to read at the end of the window, since the first position; null when not known. */
  readonly there: number | null;
  readonly consumed: number;
}

/** Messages that there were to read at the end of the window and were not; null while that is not known of a group. */
export function unreadMessages(ends: readonly GroupEnd[]): number | null {
  return sumOf(ends, ({ there, consumed }) =>
    there === null ? null : Math.max(0, Math.round(there) - consumed),
  );
}

/**
 * The unread ones of those that came in the window: older ones, which a group that lags has not read either, are not its
 * concern. Null when the end of the topic was not known at both ends of the window.
 */
export function unreadOfWindow(
  ends: readonly GroupEnd[],
  ticks: readonly ReaderTick[],
  { startAtMs }: Window,
): number | null {
  const start = ticks.findLast(({ atMs }) => atMs <= startAtMs)?.groups ?? [];
  return sumOf(ends, (end) => {
    const before = start.find(({ group }) => group === end.group);
    if (!before || before.lag === null || end.there === null) return null;
    const came = Math.round(end.there) - (before.consumed + before.lag);
    return Math.max(0, Math.min(came, Math.round(end.there) - end.consumed));
  });
}

function sumOf(ends: readonly GroupEnd[], of: (end: GroupEnd) => number | null): number | null {
  return ends.reduce<number | null>((sum, end) => {
    const count = of(end);
    return sum === null || count === null ? null : sum + count;
  }, 0);
}
