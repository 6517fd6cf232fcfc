// A progress line on standard error, removed at the end.
import type { CommandIo } from "../command-io.ts";

export interface Progress {
  show(text: string): void;
  end(): void;
}

const clearLine = "\r\u001B[K";

/** Prints nothing if standard error is not a terminal. */
export function createProgress(io: Pick<CommandIo, "stderr" | "isStderrTerminal" | "columns">): Progress {
  let isShown = false;
  return {
    show(text) {
      if (!io.isStderrTerminal) return;
      isShown = true;
      io.stderr(`${clearLine}${text.slice(0, io.columns - 1)}`);
    },
    end() {
      if (isShown) io.stderr(clearLine);
      isShown = false;
    },
  };
}
