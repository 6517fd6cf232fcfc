// Finds where this hookbell is installed, as paths that agents can rely on.
import { join, posix, win32 } from "node:path";
import { UserError } from "../model/errors.ts";
import type { Environment } from "../system/environment.ts";
import { statIfThere } from "../system/files/files.ts";
import { ownPackageFolder, type RealPathOf, runningNode, stablePackageFolder } from "../system/package.ts";
import { findPlaces } from "../system/paths.ts";
import { isExecutable, programCandidates, windowsVariable } from "../system/process/find-program.ts";
import { typedWord } from "../model/places/user-shell.ts";
import { systemProgram } from "../system/process/start/program-start.ts";
import { realPathOf } from "../system/files/inspect-path.ts";
import type { Installation } from "./command/hook-command.ts";
import { isLasting } from "./command/windows.ts";
import { canScriptRun, hookScriptName } from "./hook-script.ts";

const usualPlace = `.local/state/hookbell/${hookScriptName("linux")}`;

/** Throws a `UserError` when agents could not rely on that place. */
export function findInstallation(env: Environment, home: string, platform: NodeJS.Platform): Installation {
  const folder = stablePackageFolder(ownPackageFolder(), realPathOf);
  if (isInRunnerCache(folder)) {
    throw new UserError("install.cache", cacheProblem, {
      hint: `npm ${permanentInstall(folder)
        .map((word) => typedWord(word, platform))
        .join(" ")}, then: hookbell init`,
    });
  }
  const hookPath = join(folder, "dist", "hook.cjs");
  if (statIfThere(hookPath) === undefined) {
    throw new UserError("install.incomplete", `there is no ${hookPath}`, {
      hint: "in a working copy: npm run build; else install hookbell again",
    });
  }
  const onPath = programCandidates("node", env, platform);
  const scriptPath = join(findPlaces(env, platform).stateDir, hookScriptName(platform));
  if (platform === "win32") {
    const nodePath = stableNodeOnWindows(runningNode(), onPath, env, home, realPathOf);
    const inScript = nodeForCmd(nodePath, home);
    const canFindNode = inScript !== "" || onPath.some((path) => path.endsWith(".exe") && isExecutable(path));
    const installed = { nodePath, hookPath, cmdPath: systemProgram("cmd.exe", env), nodeForCmd: inScript };
    return { ...installed, scriptPath: canFindNode ? scriptPath : undefined };
  }
  const nodePath = stableNodePath(runningNode(), onPath, home, realPathOf);
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

/** The same on Windows: the installer's folder, and the links of nvm, fnm and Scoop. Volta's `node` is whichever a project asks for. */
export function stableNodeOnWindows(
  execPath: string,
  onPath: readonly string[],
  env: Environment,
  home: string,
  realPathOf: RealPathOf,
): string {
  const real = realPathOf(execPath) ?? execPath;
  const roaming = windowsVariable(env, "APPDATA") ?? win32.join(home, "AppData", "Roaming");
  const scoop = windowsVariable(env, "SCOOP") ?? win32.join(home, "scoop");
  const folders = [
    win32.join(windowsVariable(env, "PROGRAMFILES") ?? "C:\\Program Files", "nodejs"),
    windowsVariable(env, "NVM_SYMLINK") ?? "C:\\nvm4w\\nodejs",
    win32.join(windowsVariable(env, "FNM_DIR") ?? win32.join(roaming, "fnm"), "aliases", "default"),
    win32.join(scoop, "apps", "nodejs", "current"),
    win32.join(scoop, "apps", "nodejs-lts", "current"),
  ];
  const candidates = [...folders.map((folder) => win32.join(folder, "node.exe")), execPath, ...onPath];
  const lasting = candidates.filter((path) => win32.isAbsolute(path) && isLasting(path) && /\.exe$/i.test(path));
  return lasting.find((candidate) => realPathOf(candidate) === real) ?? execPath;
}

/** cmd.exe reads a script in the code page of the console, so it has to be ASCII. A percent sign is doubled to stand for itself. */
export function nodeForCmd(nodePath: string, home: string): string {
  const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
  const isInHome = nodePath.toLowerCase().startsWith(`${home.toLowerCase()}\\`);
  const inHome = isInHome ? nodePath.slice(home.length) : nodePath;
  if (isAscii(nodePath)) return nodePath.replaceAll("%", "%%");
  return isInHome && isAscii(inHome) ? `%USERPROFILE%${inHome.replaceAll("%", "%%")}` : "";
}

/** Such a cache can be emptied at any time. */
export function isInRunnerCache(folder: string): boolean {
  return /[\\/](?:_npx|dlx-[^\\/]*|dlx|bunx-[^\\/]*)[\\/]/.test(folder);
}
