// Plans how hookbell's hooks are added to an agent's settings. Pure: no effects, the same plan for the same files.
import { exitCodes } from "../../model/errors.ts";
import { emptyPlan, joinPlans, type AgentPlan } from "../settings/file-change.ts";
import type { InstallRequest } from "./request.ts";
import { planHooks } from "./hooks.ts";
import { planNotifyRemoval } from "./notify.ts";
import { planOwnFiles } from "./own-files.ts";

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
    ...sources.flatMap((source) => (source.kind === "notify" ? [planNotifyRemoval(source, request.ownerOf)] : [])),
  ]);
  return plan.problems.length > 0 && wiring.isEveryFileWired !== true
    ? { ...emptyPlan, problems: plan.problems }
    : plan;
}
