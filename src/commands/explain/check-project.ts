// The part of `hookbell check` about a repository's own `.hookbell.jsonc`.
import { basename } from "node:path";
import type { CurrentRules } from "../../dispatch/current-rules.ts";
import type { Problem } from "../../model/errors.ts";
import { projectFileName, readProjectFile, readProjectFileAt } from "../../rules/project-file.ts";
import type { ProjectFileReading } from "../../rules/project-file.ts";
import { showProblems } from "../../rules/problems/show.ts";
import type { Rules } from "../../rules/rules.ts";
import { findWorkTree } from "../../system/files/git.ts";
import type { CommandIo } from "../console/command-io.ts";
import { count, paint } from "../console/text.ts";
import { problemAsJson } from "../pipeline/load-rules.ts";

export interface CheckedProject {
  file: string;
  text: string;
  isBroken: boolean;
  problems: Problem[];
}

/** The file that is named, or that of the folder the command runs in. */
export function checkProjectFile(
  asked: string | undefined,
  { rules }: Pick<CurrentRules, "rules">,
  io: CommandIo,
): CheckedProject | undefined {
  if (asked !== undefined && basename(asked) !== projectFileName) return undefined;
  const reading =
    asked === undefined
      ? readProjectFile(io.cwd, findWorkTree(io.cwd, io.places.home)?.root)
      : readProjectFileAt(asked);
  if (reading === undefined) return undefined;
  if (reading.status === "broken") {
    const { path: file, text, problems } = reading;
    return { file, text, isBroken: true, problems };
  }
  return { file: reading.file.path, text: "", isBroken: false, problems: warningsOf(reading.file, rules) };
}

function warningsOf(
  { notify = [] }: (ProjectFileReading & { status: "good" })["file"],
  { rules, projectFiles }: Rules,
): Problem[] {
  const warn = (path: string, message: string): Problem => ({ path, message, severity: "warning" });
  if (projectFiles === false) return [warn("", 'it is not read: your rules file has "projectFiles": false')];
  const offered = new Set([...rules.flatMap((rule) => rule.notify), ...(projectFiles ?? [])]);
  return notify
    .filter((name) => !offered.has(name))
    .map((name) =>
      warn("notify", `no rule of yours notifies ${JSON.stringify(name)}, and your projectFiles does not name it`),
    );
}

export function showCheckedProject({ file, text, isBroken, problems }: CheckedProject, io: CommandIo): string {
  const shown =
    problems.length === 0
      ? ""
      : `${showProblems(problems, { text, file, isColor: io.isColor, columns: io.columns })}\n`;
  if (isBroken)
    return `${shown}${paint(io, "red", `${file}: ${count(problems.length, "problem")}, so it is ignored`)}\n`;
  const verdict = problems.length === 0 ? "no problems" : count(problems.length, "warning");
  return `${shown}${paint(io, "green", `${file}: ${verdict}`)}\n`;
}

export function checkedProjectAsJson({ file, text, isBroken, problems }: CheckedProject): object {
  const shown = problems.map((problem) => problemAsJson(problem, text));
  return { file, status: isBroken ? "broken" : "good", problems: shown };
}
