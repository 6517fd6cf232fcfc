import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const hookPath = fileURLToPath(new URL("./hook.cjs", import.meta.url));

/** Pipes one payload through the real hook, as an agent does; how long the agent waited, in milliseconds. */
export function runHook(
  payload: Record<string, unknown>,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; stderr: string; ms: number }> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [hookPath, "--agent", "droid"], { env, stdio: ["pipe", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, stderr, ms: performance.now() - startedAt }));
    child.stdin.end(JSON.stringify(payload));
  });
}
