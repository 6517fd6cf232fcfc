import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const hookPath = fileURLToPath(new URL("./hook.cjs", import.meta.url));

/** Pipes one payload through the real hook, as Claude Code does. `ms` is how long the agent waited. */
export function runHook(
  payload: Record<string, unknown>,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; stdout: string; stderr: string; ms: number }> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    // `--answer` as `hookbell init` adds it to the hook of a question.
    const answer = payload.hook_event_name === "PermissionRequest" ? ["--answer"] : [];
    const child = spawn(process.execPath, [hookPath, "--agent", "claude-code", ...answer], { env });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, stdout, stderr, ms: performance.now() - startedAt }));
    child.stdin.end(JSON.stringify(payload));
  });
}
