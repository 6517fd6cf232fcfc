// Puts the hook for POSIX shells into the state folder, and checks it.
import { dirname, join } from "node:path";
import { shellQuoted } from "../model/text.ts";
import { ensurePrivateDir, privateDirMode, removeIfThere, statIfThere } from "../system/files/files.ts";
import { readIfThere } from "../system/files/read.ts";
import { writeWhole } from "../system/files/write.ts";
import { isExecutable } from "../system/process/find-program.ts";
import { ownPackageFolder } from "../system/package.ts";
import type { Installation } from "./command/hook-command.ts";

/** In `hooks/` of this package, and in the state folder, where init puts it. */
export const hookScriptName = "hookbell-hook.sh";

const scriptMode = privateDirMode;

/** False when the script exists and cannot be run, as in a folder that is mounted `noexec`. */
export function canScriptRun(scriptPath: string): boolean {
  const stats = statIfThere(scriptPath);
  return stats === undefined || stats.mode !== scriptMode || isExecutable(scriptPath);
}

export function isScriptCurrent(installation: Installation): boolean {
  const { scriptPath } = installation;
  if (scriptPath === undefined) return true;
  return statIfThere(scriptPath)?.mode === scriptMode && readIfThere(scriptPath) === scriptText(installation);
}

/** What the script lacks; undefined when it can work. */
export function lackOfScript({ scriptPath }: Pick<Installation, "scriptPath">): string | undefined {
  if (scriptPath === undefined) return undefined;
  const text = readIfThere(scriptPath);
  if (text === undefined) return "which is missing";
  if (!isExecutable(scriptPath)) return "which may not be run";
  const nodePath = assigned(text, "node");
  const dist = assigned(text, "dist");
  const gone = [
    ...(nodePath === undefined || isExecutable(nodePath) ? [] : [nodePath]),
    ...(dist === undefined || statIfThere(join(dist, "cli.js")) !== undefined ? [] : [join(dist, "cli.js")]),
  ];
  return gone.length === 0 ? undefined : `which calls ${gone.join(" and ")}, and that no longer exists`;
}

/** The value that `shellQuoted` wrote. */
function assigned(text: string, name: string): string | undefined {
  const word = new RegExp(`^${name}='((?:[^'\n]|'\\\\'')*)'$`, "m").exec(text)?.[1];
  return word?.replaceAll("'\\''", "'");
}

/** Writes the script unless it is current; no `scriptPath` where it cannot run. */
export function putHookScript(installation: Installation): Installation {
  const { scriptPath, scriptInHome: _, ...withoutScript } = installation;
  if (scriptPath === undefined) return installation;
  if (!isScriptCurrent(installation)) {
    ensurePrivateDir(dirname(scriptPath));
    writeWhole(scriptPath, scriptText(installation), scriptMode);
  }
  // The script leaves this mark when it has said once that hookbell is gone.
  removeIfThere(join(dirname(scriptPath), "hookbell-is-gone"));
  return canScriptRun(scriptPath) ? installation : withoutScript;
}

const emptyScript = `#!/bin/sh
# hookbell has been uninstalled. Agents that are still running call this; delete it when they have been restarted.
exit 0
`;

/**
 * Agents may still call the script, and a missing one would make each of their hooks fail. False if there is no script.
 */
export function emptyHookScript(scriptPath: string): boolean {
  const isThere = statIfThere(scriptPath) !== undefined;
  if (isThere) writeWhole(scriptPath, emptyScript, scriptMode);
  return isThere;
}

/** With the paths of this installation, so that agents' settings stay the same when Node moves. */
export function scriptText({ nodePath, hookPath }: Installation): string {
  return scriptWith(nodePath, dirname(hookPath));
}

/** For a machine without hookbell, whose events another one fetches. */
export function fetchedScriptText(): string {
  return scriptWith("", "");
}

function scriptWith(nodePath: string, dist: string): string {
  const path = join(ownPackageFolder(), "hooks", hookScriptName);
  const template = readIfThere(path);
  if (template === undefined) throw new Error(`${path} is missing`);
  return template.replace("'@NODE@'", () => shellQuoted(nodePath)).replace("'@DIST@'", () => shellQuoted(dist));
}
