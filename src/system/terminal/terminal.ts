// This process's standard streams.
import type { Environment } from "../environment.ts";

const defaultColumns = 80;

export interface Terminal {
  stdout(text: string): void;
  stderr(text: string): void;
  /** Both standard input and output. */
  isTerminal: boolean;
  isStdinTerminal: boolean;
  isStderrTerminal: boolean;
  isColor: boolean;
  /** What `COLUMNS` says, if it is set; 80 without a terminal. */
  columns: number;
  /** Cut after slightly more than `maxBytes`; a terminal gives an empty text. */
  readStdin(maxBytes: number): Promise<string>;
  /** Aborts after Ctrl-C, after a signal, or when standard output is closed. */
  untilStopped(): AbortSignal;
}

/** Node loads much code for each stream. */
export function systemTerminal(env: Environment): Terminal {
  const stopping = new AbortController();
  let isWatched = false;
  const output = (): NodeJS.WriteStream => {
    const { stdout } = process;
    // `hookbell log | head` closes the output early.
    if (!isWatched) stdout.on("error", () => stopping.abort());
    isWatched = true;
    return stdout;
  };
  const errorOutput = (): NodeJS.WriteStream => {
    const { stderr } = process;
    // If standard error is closed, only the exit code is left.
    if (stderr.listenerCount("error") === 0) stderr.on("error", () => {});
    return stderr;
  };
  return {
    stdout: (text) => void output().write(text),
    stderr: (text) => void errorOutput().write(text),
    get isTerminal() {
      return isTerminal(output()) && isTerminal(process.stdin);
    },
    get isStdinTerminal() {
      return isTerminal(process.stdin);
    },
    get isStderrTerminal() {
      return isTerminal(process.stderr);
    },
    get isColor() {
      // https://no-color.org
      return isTerminal(output()) && !env.NO_COLOR && env.TERM !== "dumb";
    },
    get columns() {
      return columnsIn(env) ?? (output().columns || defaultColumns);
    },
    async readStdin(maxBytes) {
      const { stdin } = process;
      if (stdin.isTTY) return "";
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of stdin) {
        chunks.push(chunk as Buffer);
        bytes += (chunk as Buffer).length;
        if (bytes > maxBytes) break;
      }
      return Buffer.concat(chunks).toString("utf8");
    },
    untilStopped() {
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stopping.abort(signal));
      return stopping.signal;
    },
  };
}

/** What a person or a program such as watch(1) asks for. */
export function columnsIn({ COLUMNS: text = "" }: Environment): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
}

/** Despite its type, `isTTY` is undefined on anything else. */
function isTerminal(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}
