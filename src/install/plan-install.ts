import type { Wiring } from "../agents/define-wiring.ts";
import { exitCodes } from "../model/errors.ts";
import { emptyPlan, joinPlans, type AgentPlan, type SettingsSource } from "./file-change.ts";
import type { OwnerOfHook } from "./find-hooks.ts";
import type { HookEntry } from "./hook-command.ts";
import { planHooks } from "./plan-hooks.ts";
import { planNotify } from "./plan-notify.ts";
import { planOwnFiles } from "./plan-own-files.ts";

export interface InstallRequest {
  wiring: Wiring;
  /** The agent's files in the order of the wiring. */
  sources: readonly SettingsSource[];
  /** Where the sources are looked for. */
  folder: string;
  platform: NodeJS.Platform;
  /** Whether this event of the agent's is to be wired; one that is wired already stays in any case. */
  isWanted(event: string): boolean;
  /** The agent's release knows no hooks but the one program. */
  isOlder: boolean;
  argvFor(event: string | undefined): string[];
  entryFor(event: string): HookEntry;
  ownerOf: OwnerOfHook;
}

/** Plans how our hooks get into an agent's settings: no effects, the same answer for the same files. */
export function planInstall(request: InstallRequest): AgentPlan {
  const { wiring, sources, folder } = request;
  if (wiring.missingFiles !== undefined && sources.length === 0) {
    return { ...emptyPlan, problems: [{ path: folder, ...wiring.missingFiles, exitCode: exitCodes.failed }] };
  }
  const plan = joinPlans([
    planOwnFiles(
      sources.flatMap((source) => (source.kind === "own" ? [source] : [])),
      request,
    ),
    planHooks(
      sources.flatMap((source) => (source.kind === "hooks" ? [source] : [])),
      request,
    ),
    planNotify(
      sources.flatMap((source) => (source.kind === "notify" ? [source] : [])),
      request,
    ),
  ]);
  return plan.problems.length > 0 ? { ...emptyPlan, problems: plan.problems } : plan;
}
