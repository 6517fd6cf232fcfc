// Finds programs on PATH.
import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { Environment } from "../environment.ts";

/** The absolute path, or undefined. */
export function findProgram(program: string, env: Environment, platform: NodeJS.Platform): string | undefined {
  return programCandidates(program, env, platform).find(isExecutable);
}

/** PATH's relative folders are ignored, and on Windows the current folder, too. */
export function programCandidates(program: string, env: Environment, platform: NodeJS.Platform): string[] {
  const isWindows = platform === "win32";
  const path = isWindows ? win32 : posix;
  const folders = ((isWindows ? windowsVariable(env, "PATH") : env.PATH) ?? "")
    .split(path.delimiter)
    // Some installers write a folder with a space in quotes.
    .map((folder) => (isWindows ? folder.replaceAll('"', "") : folder))
    .filter((folder) => path.isAbsolute(folder));
  const names = isWindows ? windowsNames(program, env) : [program];
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
}

/** What a shell of Windows takes a name for, in its order; PowerShell's scripts come last. Scripts of Windows Script Host are left out. */
export function windowsNames(program: string, env: Environment): string[] {
  const shells = (windowsVariable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").toLowerCase().split(";");
  const endings = [...shells.filter((ending) => startable.includes(ending)), ".ps1"];
  const added = endings.map((ending) => program + ending);
  return endings.includes(win32.extname(program).toLowerCase()) ? [program, ...added] : added;
}

const startable: readonly string[] = [".com", ".exe", ".bat", ".cmd"];

/** Windows has each variable once, whatever the case of its name; a copy of `process.env` has it under one of them. */
export function windowsVariable(env: Environment, name: string): string | undefined {
  return env[name] ?? Object.entries(env).find(([each]) => each.toUpperCase() === name)?.[1];
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
