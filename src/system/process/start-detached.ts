import type { Environment } from "../environment.ts";

/**
 * Starts a program that outlives us, in a session of its own, with no descriptor of ours: agents wait for the end of
 * every pipe they gave us. Its process id, or undefined when it cannot be started.
 */
export async function startDetached(
  argv: readonly [string, ...string[]],
  cwd: string,
  env: Environment,
): Promise<number | undefined> {
  // Loaded only here: most hooks find a dispatcher at work and are spared the two milliseconds.
  const { spawn } = await import("node:child_process");
  const [program, ...args] = argv;
  const child = spawn(program, args, {
    detached: true,
    stdio: "ignore",
    windowsHide: true,
    cwd,
    env: env as NodeJS.ProcessEnv,
  });
  // Nobody is left to tell; the next hook tries again.
  child.on("error", () => {});
  child.unref();
  return child.pid;
}
