import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";

/** A program as an agent runs it, by its arguments, its environment, and where it runs. */
export interface Program {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** The payload comes from this file instead of a socket, which is what Node calls a pipe. */
  inputFile?: string;
  /** It ends with an error where its receiver is down. */
  mayFail?: boolean;
}

/** As Claude Code and Droid send it when a turn ends. */
export const payload = JSON.stringify({
  hook_event_name: "Stop",
  session_id: "5f0c8a52-bench",
  cwd: "/home/you/shop-web",
  last_assistant_message: "All tests pass.",
});

/** How long a caller waits for the program, in milliseconds: until it has ended and its pipes are closed. */
export function runProgram({ argv, env, cwd, inputFile, mayFail = false }: Program): Promise<number> {
  const [program = "", ...args] = argv;
  const input = inputFile === undefined ? "pipe" : openSync(inputFile, "r");
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd, stdio: [input, "pipe", "pipe"] });
    if (typeof input === "number") closeSync(input);
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.on("error", reject);
    child.stdin?.on("error", () => {});
    child.stdin?.end(payload);
    child.on("close", (code) => {
      if (code === 0 || mayFail) resolve(performance.now() - startedAt);
      else reject(new Error(`${argv.join(" ")} ended with ${code}: ${said}`));
    });
  });
}
