// Finds programs on PATH.
import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { Environment } from "../environment.ts";

/** The absolute path, or undefined. */
export function findProgram(program: string, env: Environment, platform: NodeJS.Platform): string | undefined {
  return programCandidates(program, env, platform).find(isExecutable);
}

/** PATH's relative folders are ignored. */
export function programCandidates(program: string, env: Environment, platform: NodeJS.Platform): string[] {
  const isWindows = platform === "win32";
  const path = isWindows ? win32 : posix;
  const folders = ((isWindows ? (env.Path ?? env.PATH) : env.PATH) ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder));
  const names = isWindows ? [".exe", ".cmd", ".ps1"].map((extension) => program + extension) : [program];
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
