import { join } from "node:path";
import { exitCodes, PersonError } from "../model/errors.ts";
import type { Environment } from "../system/environment.ts";
import { statIfThere } from "../system/files/files.ts";
import { findPlaces } from "../system/paths.ts";
import { programCandidates, realPathOf } from "../system/process/find-program.ts";
import { ownPackageFolder, runningNode } from "../system/package.ts";
import type { Installation } from "./command/hook-command.ts";
import { canScriptRun, hookScriptName } from "./hook-script.ts";
import { isInRunnerCache, stableNodePath, stablePackageFolder } from "./stable-path.ts";

/** Where this hookbell lies. Throws a `PersonError` when agents could not rely on that place. */
export function findInstallation(env: Environment, home: string, platform: NodeJS.Platform): Installation {
  const folder = stablePackageFolder(ownPackageFolder(), realPathOf);
  if (isInRunnerCache(folder)) {
    throw new PersonError("install.cache", "hookbell runs from a cache that may be emptied at any time", {
      hint: "npm install -g hookbell, then run hookbell init",
      exitCode: exitCodes.failed,
    });
  }
  const hookPath = join(folder, "dist", "hook.cjs");
  if (statIfThere(hookPath) === undefined) {
    throw new PersonError("install.incomplete", `there is no ${hookPath}`, {
      hint: "npm run build in a working copy; else npm install -g hookbell",
      exitCode: exitCodes.failed,
    });
  }
  const onPath = programCandidates("node", env, platform);
  const nodePath = stableNodePath(runningNode(), onPath, home, realPathOf);
  if (platform === "win32") return { nodePath, hookPath };
  const scriptPath = join(findPlaces(env, platform).stateDir, hookScriptName);
  return { nodePath, hookPath, scriptPath: canScriptRun(scriptPath) ? scriptPath : undefined };
}
