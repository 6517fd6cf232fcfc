// Why a settings file is left as it is, and how the user reads it.
import { positionOf } from "../jsonc/position.ts";
import { exitCodes, type ExitCode } from "../model/errors.ts";

export interface InstallProblem {
  path: string;
  /** 1-based; only where the fault has a place in the text. */
  line?: number;
  column?: number;
  message: string;
  hint: string;
  exitCode: ExitCode;
}

export const addByHand = "add the hooks by hand: see hooks/README.md";

export function forUninstall(problem: InstallProblem): InstallProblem {
  return { ...problem, hint: problem.hint.replace(addByHand, "remove the hooks that call hookbell by hand") };
}

/** A problem with the content; `offset` is 0-based into `text`. */
export function contentProblem(
  source: { path: string; text: string },
  offset: number | undefined,
  message: string,
  hint: string,
): InstallProblem {
  const place = offset === undefined ? {} : positionOf(source.text, offset);
  return { path: source.path, ...place, message, hint, exitCode: exitCodes.badInput };
}

/** `file:line:col: message`, which editors and terminals make clickable. */
export function describeInstallProblem(problem: InstallProblem): string {
  const place = problem.line === undefined ? "" : `:${problem.line}:${problem.column}`;
  return `${problem.path}${place}: ${problem.message}`;
}
