// This process's standard streams.
import type { Environment } from "../environment.ts";

const defaultColumns = 80;

export interface Terminal {
  stdout(text: string): void;
  stderr(text: string): void;
  isTerminal: boolean;
  isStdinTerminal: boolean;
  isStderrTerminal: boolean;
  isColor: boolean;
  columns: number;
  readStdin(maxBytes: number): Promise<string>;
  untilStopped(): AbortSignal;
}

export function systemTerminal(env: Environment): Terminal {
  const { stdin, stdout, stderr } = process;
  const stopping = new AbortController();
  let isListening = false;
  // `hookbell log | head` closes the output early.
  stdout.on("error", () => stopping.abort());
  stderr.on("error", () => {});
  return {
    stdout: (text) => void stdout.write(text),
    stderr: (text) => void stderr.write(text),
    isTerminal: isTerminal(stdin) && isTerminal(stdout),
    isStdinTerminal: isTerminal(stdin),
    isStderrTerminal: isTerminal(stderr),
    // https://no-color.org: any value that is not empty.
    isColor: isTerminal(stdout) && !env.NO_COLOR && env.TERM !== "dumb",
    columns: stdout.columns || defaultColumns,
    async readStdin(maxBytes) {
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
      if (!isListening) {
        for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stopping.abort());
      }
      isListening = true;
      return stopping.signal;
    },
  };
}

/** Despite its type, `isTTY` is undefined on anything else. */
function isTerminal(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}
