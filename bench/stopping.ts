// Ends the bench in order: nothing that it started stays behind.
const controller = new AbortController();

/** Aborted by Ctrl-C and by a kill: nothing new begins. */
export const stopping: AbortSignal = controller.signal;

/** A second signal ends the process at once. */
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
