const EXIT_INTERRUPTED = 130;

/** Ctrl-C asks for an orderly end; a second one ends at once. `release` gives the signals back. */
export function onInterrupt(): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
    process.stderr.write('\nstopping: the load ends, the topic is deleted (Ctrl-C again to leave at once)\n');
    controller.abort();
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, stop);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of names) process.off(name, stop);
    },
  };
}
