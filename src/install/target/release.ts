// Asks an agent's program for its version, to know whether the release has hooks.
import type { Environment } from "../../system/environment.ts";
import { runProcess } from "../../system/process/run.ts";
import type { AgentTarget } from "./agent-target.ts";

const versionTimeoutMs = 5000;

/** A release that cannot be told has hooks. */
export async function withReleases(targets: readonly AgentTarget[], env: Environment): Promise<AgentTarget[]> {
  return await Promise.all(
    targets.map(async (target) => {
      const { notify } = target.wiring;
      if (notify === undefined || target.program === undefined) return target;
      const result = await runProcess({ argv: [target.program, "--version"], env, timeoutMs: versionTimeoutMs });
      const version = result.status === "exited" ? result.stdout : "";
      return { ...target, isOlder: isOlderThan(version, notify.hooksSince) };
    }),
  );
}

/** False when the text has no version. */
export function isOlderThan(text: string, since: string): boolean {
  const [found, wanted] = [text, since].map((version) => /(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number));
  if (found === undefined || wanted === undefined) return false;
  const differing = found.findIndex((part, index) => part !== wanted[index]);
  return differing !== -1 && (found[differing] ?? 0) < (wanted[differing] ?? 0);
}
