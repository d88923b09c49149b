const EXIT_INTERRUPTED = 130;

/**
 * Ctrl-C asks for an orderly end, as does a closed standard output; a second Ctrl-C ends at once. `release` gives the
 * signals back.
 * @param stopping what the user is told of the end.
 */
export function onInterrupt(stopping = 'the load ends, the topic is deleted'): {
  readonly signal: AbortSignal;
  release(): void;
} {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
    process.stderr.write(`\nstopping: ${stopping} (Ctrl-C again to leave at once)\n`);
    controller.abort();
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, stop);
  // Nobody reads what the run would say: it ends as if interrupted, and can be resumed.
  const onLostOutput = () => {
    if (!controller.signal.aborted) stop();
  };
  process.stdout.on('error', onLostOutput);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of names) process.off(name, stop);
      process.stdout.off('error', onLostOutput);
    },
  };
}
