// Puts the hook that agents run into the state folder, and checks it: a script for POSIX shells, and on Windows one for cmd.exe
// with the Node program that it calls.
import { basename, dirname, join } from "node:path";
import { shellQuoted } from "../model/text.ts";
import { emptyScripts, type ScriptName } from "../own-files/released-scripts.ts";
import { ensurePrivateDir, privateDirMode, removeIfThere, statIfThere } from "../system/files/files.ts";
import { readIfThere } from "../system/files/read.ts";
import { writeWhole } from "../system/files/write.ts";
import { isExecutable } from "../system/process/find-program.ts";
import { ownPackageFolder } from "../system/package.ts";
import type { Installation } from "./command/hook-command.ts";
import { programBeside } from "./command/windows.ts";

/** In `hooks/` of this package, and in the state folder, where init puts it. */
export function hookScriptName(platform: NodeJS.Platform): ScriptName {
  return platform === "win32" ? "hookbell-hook.cmd" : "hookbell-hook.sh";
}

/** The script, and what lies beside it. */
export function hookScriptFiles(scriptPath: string): [string, ...string[]] {
  return isForCmd(scriptPath) ? [scriptPath, programBeside(scriptPath)] : [scriptPath];
}

function isForCmd(scriptPath: string): boolean {
  return scriptPath.endsWith(".cmd");
}

const scriptMode = privateDirMode;

/** False when the script exists and cannot be run, as in a folder that is mounted `noexec`. */
export function canScriptRun(scriptPath: string): boolean {
  const stats = statIfThere(scriptPath);
  return stats === undefined || stats.mode !== scriptMode || isExecutable(scriptPath);
}

export function isScriptCurrent(installation: Installation): boolean {
  const { scriptPath } = installation;
  return scriptPath === undefined || filesOf({ ...installation, scriptPath }).every(isCurrent);
}

/** Whatever its permissions are. */
export function hasScriptText(installation: Installation): boolean {
  const { scriptPath } = installation;
  return (
    scriptPath !== undefined &&
    filesOf({ ...installation, scriptPath }).every(({ path, text }) => readIfThere(path) === text)
  );
}

interface ScriptFile {
  path: string;
  text: string;
}

function isCurrent({ path, text }: ScriptFile): boolean {
  // Windows has no such mode.
  const hasMode = !/\.c(?:md|js)$/.test(path);
  return (!hasMode || statIfThere(path)?.mode === scriptMode) && readIfThere(path) === text;
}

function filesOf(installation: Installation & { scriptPath: string }): ScriptFile[] {
  const { scriptPath, hookPath, nodeForCmd = "" } = installation;
  if (!isForCmd(scriptPath)) return [{ path: scriptPath, text: scriptText(installation) }];
  // cmd.exe finds a label only in lines that end as on Windows.
  const forCmd = template("hookbell-hook.cmd")
    .replace("@NODE@", () => nodeForCmd)
    .replaceAll("\n", "\r\n");
  const program = template("hookbell-hook.cjs").replace('"@HOOK@"', () => JSON.stringify(hookPath));
  return [
    { path: scriptPath, text: forCmd },
    { path: programBeside(scriptPath), text: program },
  ];
}

/** What the script lacks; undefined when it can work. */
export function lackOfScript({ scriptPath }: Pick<Installation, "scriptPath">): string | undefined {
  if (scriptPath === undefined) return undefined;
  const [text, program] = hookScriptFiles(scriptPath).map(readIfThere);
  if (text === undefined) return "which is missing";
  if (isForCmd(scriptPath) && program === undefined) return `without ${programBeside(scriptPath)}, which it calls`;
  if (!isExecutable(scriptPath)) return "which may not be run";
  const gone = program === undefined ? goneForShell(text) : goneForProgram(program);
  return gone.length === 0 ? undefined : `which calls ${gone.join(" and ")}, and that no longer exists`;
}

function goneForShell(text: string): string[] {
  const nodePath = assigned(text, "node");
  const dist = assigned(text, "dist");
  return [
    ...(nodePath === undefined || isExecutable(nodePath) ? [] : [nodePath]),
    ...(dist === undefined || statIfThere(join(dist, "cli.js")) !== undefined ? [] : [join(dist, "cli.js")]),
  ];
}

/** The script for cmd.exe looks for another Node when its own is gone. */
function goneForProgram(text: string): string[] {
  const written = /^const hook = (".*");$/m.exec(text)?.[1];
  const hookPath = written === undefined ? undefined : (JSON.parse(written) as string);
  return hookPath === undefined || statIfThere(hookPath) !== undefined ? [] : [hookPath];
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
  for (const file of filesOf({ ...installation, scriptPath })) {
    if (isCurrent(file)) continue;
    ensurePrivateDir(dirname(scriptPath));
    writeWhole(file.path, file.text, scriptMode);
  }
  // The script leaves this mark when it has said once that hookbell is gone.
  removeIfThere(join(dirname(scriptPath), "hookbell-is-gone"));
  return canScriptRun(scriptPath) ? installation : withoutScript;
}

/** Agents may still call the script, and a missing one would make each of their hooks fail. False if there is no script. */
export function emptyHookScript(scriptPath: string): boolean {
  const there = hookScriptFiles(scriptPath).filter((path) => statIfThere(path) !== undefined);
  for (const path of there) writeWhole(path, emptyScripts[basename(path) as ScriptName], scriptMode);
  return there.length > 0;
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
  return template("hookbell-hook.sh")
    .replace("'@NODE@'", () => shellQuoted(nodePath))
    .replace("'@DIST@'", () => shellQuoted(dist));
}

function template(name: ScriptName): string {
  const path = join(ownPackageFolder(), "hooks", name);
  const text = readIfThere(path);
  if (text === undefined) throw new Error(`${path} is missing`);
  return text;
}
