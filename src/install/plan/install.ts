import { exitCodes } from "../../model/errors.ts";
import { emptyPlan, joinPlans, type AgentPlan } from "../settings/file-change.ts";
import type { InstallRequest } from "./request.ts";
import { planHooks } from "./hooks.ts";
import { planNotify } from "./notify.ts";
import { planOwnFiles } from "./own-files.ts";

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
  return plan.problems.length > 0 && wiring.isEveryFileWired !== true
    ? { ...emptyPlan, problems: plan.problems }
    : plan;
}
