const controller = new AbortController();

/** Aborted by Ctrl-C and by a kill: nothing new is begun, so that what was begun is ended in order and nothing stays behind. */
export const stopping: AbortSignal = controller.signal;

/** The second signal ends the process at once, as if nobody had heard it. */
export function stopOnSignals(say: (line: string) => void): void {
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      say("stopping: what runs is ended first");
      process.exitCode = 128 + numbers[signal];
      controller.abort(new Error(`stopped by ${signal}`));
    });
  }
}
