// How a program is started: as it is, or on Windows by what can run it.
import { win32 } from "node:path";
import type { Environment } from "../../environment.ts";
import { isExecutable, programCandidates, windowsNames, windowsVariable } from "../find-program.ts";

/** What `spawn` is given. */
export interface ProgramStart {
  program: string;
  args: readonly string[];
  env: Environment;
  /** The arguments are the end of the command line, as they are. */
  windowsVerbatimArguments?: true;
}

/** The code is the system's. */
export interface ProgramProblem {
  code: "ENOENT" | "EINVAL";
  detail: string;
}

export interface ProgramPlace {
  env: Environment;
  /** A path that is not absolute is below it; default: the current folder. */
  cwd?: string | undefined;
  platform?: NodeJS.Platform;
  isThere?: (path: string) => boolean;
}

type Argv = readonly [string, ...string[]];

/**
 * Windows itself looks into the current folder before PATH, starts no `.cmd`, `.bat` or `.ps1`, and knows nothing of PATHEXT.
 * Elsewhere, the system does all of it.
 */
export function programStart([program, ...args]: Argv, place: ProgramPlace): ProgramStart | ProgramProblem {
  const { env } = place;
  if ((place.platform ?? process.platform) !== "win32") return { program, args, env };
  const path = findOnWindows(program, place);
  if (path === undefined) return { code: "ENOENT", detail: `there is no program ${program}` };
  const ending = win32.extname(path).toLowerCase();
  if (ending === ".cmd" || ending === ".bat") return inCmd(path, args, env);
  if (ending === ".ps1") {
    // The usual policy of Windows runs no script at all; this one runs those that were written here.
    const options = ["-NoProfile", "-ExecutionPolicy", "RemoteSigned", "-File", path];
    return {
      program: systemProgram("WindowsPowerShell\\v1.0\\powershell.exe", env),
      args: [...options, ...args],
      env,
    };
  }
  return { program: path, args, env };
}

/** The absolute path of what Windows would start; never one of the current folder that is not named by its path. */
export function findOnWindows(
  program: string,
  { env, cwd = process.cwd(), isThere = isExecutable }: ProgramPlace,
): string | undefined {
  if (!/[\\/]|^[A-Za-z]:/.test(program)) return programCandidates(program, env, "win32").find(isThere);
  const path = win32.resolve(cwd, program);
  // The file of this very name, whatever its ending, may be one that the system can start.
  return [...(win32.extname(path) === "" ? [] : [path]), ...windowsNames(path, env)].find(isThere);
}

/** By its absolute path, so that no folder of the user's can stand in for it. */
export function systemProgram(name: string, env: Environment): string {
  return win32.join(windowsVariable(env, "SYSTEMROOT") ?? String.raw`C:\Windows`, "System32", name);
}

/** cmd.exe ends a line there, whatever is around it. */
const lineEnd = /[\r\n\0]/;

function inCmd(script: string, args: readonly string[], env: Environment): ProgramStart | ProgramProblem {
  if (args.some((arg) => lineEnd.test(arg))) {
    return { code: "EINVAL", detail: `${script} cannot be given an argument with a line break` };
  }
  const line = [script, ...args].map(cmdWord).join(" ");
  return {
    program: systemProgram("cmd.exe", env),
    args: ["/e:on", "/v:off", "/d", "/s", "/c", `"${line}"`],
    env: { ...env, [percent]: "%" },
    windowsVerbatimArguments: true,
  };
}

/** Holds a `%`, which has no other escape: what a variable has in it is not expanded again. */
const percent = "HOOKBELL_PERCENT";

/**
 * In quotes, cmd.exe takes all signs as they are but `"` and `%`. A doubled quote stays one, with the backslashes before it doubled
 * for the program that reads them: https://learn.microsoft.com/en-us/cpp/c-language/parsing-c-command-line-arguments
 */
function cmdWord(text: string): string {
  const escaped = text.replace(/\\+|"/g, (signs, at: number) => {
    const next = text[at + signs.length];
    return signs === '"' || next === '"' || next === undefined ? signs + signs : signs;
  });
  return `"${escaped.replaceAll("%", `%${percent}%`)}"`;
}
