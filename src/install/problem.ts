import { exitCodes, type ExitCode } from "../model/errors.ts";

/** Why a settings file is left as it is, and how to fix that. */
export interface InstallProblem {
  path: string;
  /** 1-based, where the fault has a place in the text. */
  line?: number;
  column?: number;
  message: string;
  hint: string;
  exitCode: ExitCode;
}

/** What a person can do who wants the hooks in a file that we leave alone. */
export const addByHand = "add the hooks by hand: see hooks/README.md";

/** The same for somebody who wants them out of it. */
export function forUninstall(problem: InstallProblem): InstallProblem {
  return { ...problem, hint: problem.hint.replace(addByHand, "take the hooks that call hookbell out by hand") };
}

/** A problem with what the file says; `offset` is 0-based into `text`. */
export function contentProblem(
  source: { path: string; text: string },
  offset: number | undefined,
  message: string,
  hint: string,
): InstallProblem {
  const place = offset === undefined ? {} : placeOf(source.text, offset);
  return { path: source.path, ...place, message, hint, exitCode: exitCodes.badInput };
}

/** `file:line:col: message`, as editors and terminals make it clickable. */
export function describeInstallProblem(problem: InstallProblem): string {
  const place = problem.line === undefined ? "" : `:${problem.line}:${problem.column}`;
  return `${problem.path}${place}: ${problem.message}`;
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
