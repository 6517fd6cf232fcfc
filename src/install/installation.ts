// Finds where this hookbell is installed, as paths that agents can rely on.
import { join, posix } from "node:path";
import { UserError } from "../model/errors.ts";
import { shellWord } from "../model/text.ts";
import type { Environment } from "../system/environment.ts";
import { statIfThere } from "../system/files/files.ts";
import { ownPackageFolder, runningNode } from "../system/package.ts";
import { findPlaces } from "../system/paths.ts";
import { programCandidates } from "../system/process/find-program.ts";
import { realPathOf } from "../system/files/inspect-path.ts";
import type { Installation } from "./command/hook-command.ts";
import { canScriptRun, hookScriptName } from "./hook-script.ts";

const usualPlace = `.local/state/hookbell/${hookScriptName}`;

/** Throws a `UserError` when agents could not rely on that place. */
export function findInstallation(env: Environment, home: string, platform: NodeJS.Platform): Installation {
  const folder = stablePackageFolder(ownPackageFolder(), realPathOf);
  if (isInRunnerCache(folder)) {
    throw new UserError("install.cache", cacheProblem, {
      hint: `npm ${permanentInstall(folder).map(shellWord).join(" ")}, then: hookbell init`,
    });
  }
  const hookPath = join(folder, "dist", "hook.cjs");
  if (statIfThere(hookPath) === undefined) {
    throw new UserError("install.incomplete", `there is no ${hookPath}`, {
      hint: "in a working copy: npm run build; else install hookbell again",
    });
  }
  const onPath = programCandidates("node", env, platform);
  const nodePath = stableNodePath(runningNode(), onPath, home, realPathOf);
  if (platform === "win32") return { nodePath, hookPath };
  const scriptPath = join(findPlaces(env, platform).stateDir, hookScriptName);
  if (!canScriptRun(scriptPath)) return { nodePath, hookPath, scriptPath: undefined };
  const isUsual = scriptPath === join(home, usualPlace);
  return { nodePath, hookPath, scriptPath, ...(isUsual ? { scriptInHome: `"$HOME"/${usualPlace}` } : {}) };
}

export const cacheProblem =
  "npx runs hookbell from a cache that npm may empty at any time; the agents' hooks need a permanent place";

/** A copy, not a link into npx's cache. */
export function permanentInstall(folder: string): [string, ...string[]] {
  return ["install", "--global", "--install-links", folder];
}

/** Undefined when the path does not exist. */
export type RealPathOf = (path: string) => string | undefined;

const stableNodes = [
  "/opt/homebrew/bin/node",
  "/usr/local/bin/node",
  "/usr/bin/node",
  "/home/linuxbrew/.linuxbrew/bin/node",
];

/** Folders of one shell, one project or temporary files. */
const shortLived =
  /^\/(?:tmp|var\/tmp|run|var\/folders|private\/tmp|private\/var\/folders|dev\/shm)\/|\/fnm_multishells\/|\/node_modules\/|\/_npx\/|\/\.nix-profile-tmp/;

/** `process.execPath` contains the version with version managers; a link does not. */
export function stableNodePath(
  execPath: string,
  onPath: readonly string[],
  home: string,
  realPathOf: RealPathOf,
): string {
  const real = realPathOf(execPath) ?? execPath;
  const aliases = [
    posix.join(home, ".local/share/fnm/aliases/default/bin/node"),
    posix.join(home, ".nvm/current/bin/node"),
  ];
  const candidates = [...stableNodes, ...aliases, ...onPath.filter((path) => !shortLived.test(path))];
  return candidates.find((candidate) => realPathOf(candidate) === real) ?? execPath;
}

/** pnpm has the version in its folder names; this path does not. */
export function stablePackageFolder(folder: string, realPathOf: RealPathOf): string {
  const parts = /^(.*\/node_modules)\/\.pnpm\/[^/]+\/node_modules\/(.+)$/.exec(folder);
  const link = parts === null ? undefined : `${parts[1]}/${parts[2]}`;
  return link !== undefined && realPathOf(link) === realPathOf(folder) ? link : folder;
}

/** Such a cache can be emptied at any time. */
export function isInRunnerCache(folder: string): boolean {
  return /[\\/](?:_npx|dlx-[^\\/]*|dlx|bunx-[^\\/]*)[\\/]/.test(folder);
}
