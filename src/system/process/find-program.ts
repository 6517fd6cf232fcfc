import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { Environment } from "../environment.ts";

/** The absolute path of a program on PATH, or undefined when there is none. */
export function findProgram(program: string, env: Environment, platform: NodeJS.Platform): string | undefined {
  return programCandidates(program, env, platform).find(isExecutable);
}

/** Where PATH says that a program may lie, relative folders left out. */
export function programCandidates(program: string, env: Environment, platform: NodeJS.Platform): string[] {
  const isWindows = platform === "win32";
  const path = isWindows ? win32 : posix;
  const folders = ((isWindows ? (env.Path ?? env.PATH) : env.PATH) ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder));
  const names = isWindows ? [".exe", ".cmd", ".ps1"].map((extension) => program + extension) : [program];
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
}

/** The path behind all links, or undefined when there is nothing. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Whether this is a file that we may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
