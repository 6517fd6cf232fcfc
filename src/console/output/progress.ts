// A progress line on standard error, which is gone before anything else is printed.
import type { CommandIo } from "../command-io.ts";
import { withMembers } from "./text.ts";

export interface Progress {
  show(text: string): void;
  end(): void;
}

const clearLine = "\r\u001B[K";

/** Prints nothing if standard error is not a terminal. What is printed by the `io` that it returns is never glued to the line. */
export function createProgress<Io extends Pick<CommandIo, "stdout" | "stderr" | "isStderrTerminal" | "columns">>(
  io: Io,
): Progress & { io: Io } {
  let isShown = false;
  const end = (): void => {
    if (isShown) io.stderr(clearLine);
    isShown = false;
  };
  const afterIt =
    (print: (text: string) => void) =>
    (text: string): void => {
      end();
      print(text);
    };
  return {
    io: withMembers(io, {
      stdout: afterIt((text) => io.stdout(text)),
      stderr: afterIt((text) => io.stderr(text)),
    }),
    show(text) {
      if (!io.isStderrTerminal) return;
      isShown = true;
      io.stderr(`${clearLine}${text.slice(0, io.columns - 1)}`);
    },
    end,
  };
}
