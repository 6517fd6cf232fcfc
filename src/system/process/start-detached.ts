// Starts a program that outlives this process.
import type { Environment } from "../environment.ts";

/** The child gets none of our descriptors: agents wait for their pipes to close. */
export function startDetached(argv: readonly [string, ...string[]], cwd: string, env: Environment): number | undefined {
  // Most hooks find a running dispatcher and need no spawn, which takes 2 ms to load.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const [program, ...args] = argv;
  const child = spawn(program, args, {
    detached: true,
    stdio: "ignore",
    windowsHide: true,
    cwd,
    env: env as NodeJS.ProcessEnv,
  });
  // If the start fails, the next hook tries again.
  child.on("error", () => {});
  child.unref();
  return child.pid;
}
