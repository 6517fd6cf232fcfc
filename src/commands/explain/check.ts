// `hookbell check`: lists every problem in a rules file, with its position.
import { basename } from "node:path";
import { type CurrentRules, readRules } from "../../pipeline/current-rules.ts";
import { type ExitCode, exitCodes, type Problem, usageError, UserError } from "../../model/errors.ts";
import { printableLine } from "../../model/text.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { builtInRules } from "../../rules/built-in.ts";
import { loadRules, type LoadedRules } from "../../rules/load.ts";
import { readRulesFile } from "../../rules/read-rules-file.ts";
import type { Rules } from "../../rules/rules.ts";
import { showProblems } from "../../rules/problems/show.ts";
import { parseArguments } from "../../console/arguments.ts";
import { inspectCommands } from "../help/inspect.ts";
import { count, jsonLine, paint } from "../../console/output/text.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { describeApplying, problemAsJson } from "../pipeline/load-rules.ts";
import {
  findUncoveredQuestions,
  findUncoveredRules,
  findUnnotified,
  findAgentsWithHooks,
} from "../pipeline/rule-coverage.ts";
import {
  projectFileName,
  type ProjectFileReading,
  readProjectFile,
  readProjectFileAt,
} from "../../rules/project-file.ts";
import { findWorkTree } from "../../system/files/git.ts";

export async function check(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, inspectCommands.check.flags);
  const [asked = values.config, ...more] = positionals;
  if (more.length > 0) {
    throw usageError("check", "check takes one file", "hookbell check [FILE]");
  }
  const current = await readRules(io.places.rulesFile, undefined);
  const project = checkProjectFile(asked, current, io);
  if (asked !== undefined && project !== undefined) {
    io.stdout(values.json ? jsonLine(checkedProjectAsJson(project)) : showCheckedProject(project, io));
    return project.isBroken ? exitCodes.badRules : exitCodes.done;
  }
  const file = asked ?? io.places.rulesFile;
  const text = textOf(file);
  if (text === undefined && asked !== undefined) {
    throw new UserError("rules.missing", `there is no file ${file}`, {
      hint: "without a file, hookbell check reads the one that applies",
      exitCode: exitCodes.badInput,
    });
  }
  const projectFile = project && { projectFile: checkedProjectAsJson(project) };
  const endsWith = (exitCode: ExitCode): ExitCode => {
    if (project !== undefined && !values.json) io.stdout(showCheckedProject(project, io));
    return project?.isBroken === true ? exitCodes.badRules : exitCode;
  };
  if (text === undefined) {
    const sizes = sizeOf(await builtInRules());
    if (values.json) io.stdout(jsonLine({ file, status: "builtIn", ...sizes, problems: [], ...projectFile }));
    else io.stdout(`no rules file (${file}): the built-in rules apply\n`);
    return endsWith(exitCodes.done);
  }
  const isRead = current.origin === "file" && asked === undefined && current.text === text;
  const loaded: LoadedRules = isRead
    ? { status: "good", rules: current.rules, warnings: current.warnings ?? [] }
    : await loadRules(text);
  const problems = [...(loaded.status === "good" ? [] : loaded.problems), ...loaded.warnings].toSorted(
    (a, b) => (a.offset ?? 0) - (b.offset ?? 0),
  );
  const uncovered = loaded.status === "good" ? findUncoveredRules(loaded.rules.rules, io) : [];
  const installed = loaded.status === "good" ? findAgentsWithHooks(io).map(({ target }) => target) : [];
  const questions = loaded.status === "good" ? findUncoveredQuestions(loaded.rules.rules, installed) : [];
  const unnotified = loaded.status === "good" ? findUnnotified(loaded.rules.rules, installed) : [];
  if (values.json) {
    const found = {
      unheard: uncovered,
      unheardQuestions: questions,
      unnotified: unnotified.flatMap(({ events }) => events),
    };
    const counts = loaded.status === "good" ? { ...sizeOf(loaded.rules), ...found } : {};
    const shown = problems.map((problem) => problemAsJson(problem, text));
    io.stdout(jsonLine({ file, status: loaded.status, ...counts, problems: shown, ...projectFile }));
  } else {
    if (problems.length > 0) {
      io.stdout(`${showProblems(problems, { text, file, isColor: io.isColor, columns: io.columns })}\n`);
    }
    io.stdout(`${summarise(file, loaded, io)}\n`);
    for (const { rule, hint } of uncovered) {
      io.stdout(`${paint(io, "yellow", "hint")}: rule ${printableLine(JSON.stringify(rule))} ${hint}\n`);
    }
    for (const { text: what, fix } of unnotified) {
      io.stdout(`${paint(io, "yellow", "hint")}: ${what}; ${fix}\n`);
    }
    for (const { agent, text: what, fix } of questions) {
      io.stdout(
        `${paint(io, "yellow", "warning")}: ${what}\n  ${printableLine(fix)}, then run: hookbell init --agent ${agent}\n`,
      );
    }
  }
  if (loaded.status === "good") return endsWith(exitCodes.done);
  if (asked === undefined && !values.json) {
    const layout = layoutOf(io.places.stateDir);
    const { origin } = await readRules(file, layout);
    io.stdout(`until it is fixed, ${describeApplying(origin, layout)}\n`);
  }
  return endsWith(exitCodes.badRules);
}

function textOf(file: string): string | undefined {
  const reading = readRulesFile(file);
  if ("text" in reading) return reading.text;
  throw new UserError("rules.unreadable", `cannot read ${file}: ${reading.unreadable}`, {
    exitCode: exitCodes.badInput,
  });
}

function summarise(file: string, loaded: LoadedRules, io: CommandIo): string {
  const warnings = loaded.warnings.length === 0 ? "" : `, ${count(loaded.warnings.length, "warning")}`;
  if (loaded.status === "broken") {
    return paint(io, "red", `${file}: ${count(loaded.problems.length, "problem")}${warnings}`);
  }
  const { channels, rules } = sizeOf(loaded.rules);
  const verdict = warnings === "" ? ", no problems" : warnings;
  return paint(io, "green", `${file}: ${count(channels, "channel")}, ${count(rules, "rule")}${verdict}`);
}

function sizeOf({ channels, rules }: Rules): { channels: number; rules: number } {
  return { channels: Object.keys(channels).length, rules: rules.length };
}

interface CheckedProject {
  file: string;
  text: string;
  isBroken: boolean;
  problems: Problem[];
}

/** The file that is named, or that of the folder the command runs in. */
function checkProjectFile(
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

function showCheckedProject({ file, text, isBroken, problems }: CheckedProject, io: CommandIo): string {
  const shown =
    problems.length === 0
      ? ""
      : `${showProblems(problems, { text, file, isColor: io.isColor, columns: io.columns })}\n`;
  if (isBroken)
    return `${shown}${paint(io, "red", `${file}: ${count(problems.length, "problem")}, so it is ignored`)}\n`;
  const verdict = problems.length === 0 ? "no problems" : count(problems.length, "warning");
  return `${shown}${paint(io, "green", `${file}: ${verdict}`)}\n`;
}

function checkedProjectAsJson({ file, text, isBroken, problems }: CheckedProject): object {
  const shown = problems.map((problem) => problemAsJson(problem, text));
  return { file, status: isBroken ? "broken" : "good", problems: shown };
}
