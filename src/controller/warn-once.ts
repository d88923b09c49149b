import type { RunObserver } from './run-event.ts';

/** Warns of each thing once in a run, however many trials show it. @returns told by a name of what is warned of. */
export function warnOnce(observe: RunObserver): (name: string, text: string) => void {
  const told = new Set<string>();
  return (name, text) => {
    if (told.has(name)) return;
    told.add(name);
    observe({ type: 'warning', text });
  };
}
