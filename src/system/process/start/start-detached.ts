// Starts a program that outlives this process.
import type { Environment } from "../../environment.ts";
import { programStart } from "./program-start.ts";

/** The child gets none of our descriptors: agents wait for their pipes to close. */
export function startDetached(argv: readonly [string, ...string[]], cwd: string, env: Environment): number | undefined {
  // Most hooks find a running dispatcher and need no spawn, which takes 2 ms to load.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const start = programStart(argv, { env, cwd });
  // If the start fails, the next hook tries again.
  if ("code" in start) return undefined;
  const { program, args, ...options } = start;
  const child = spawn(program, args, {
    ...options,
    detached: true,
    stdio: "ignore",
    windowsHide: true,
    cwd,
  });
  child.on("error", () => {});
  child.unref();
  return child.pid;
}
