// The report of init and uninstall for each agent, as text and as JSON.
import { coverageOf } from "../../install/target/event-coverage.ts";
import { unifiedDiff } from "../../jsonc/diff.ts";
import { describeInstallProblem, type InstallProblem } from "../../install/problem.ts";
import type { AgentTarget } from "../../install/target/agent-target.ts";
import type { AppliedAgent, PreparedAgent } from "../../install/plan/apply.ts";
import { exitCodes, type ExitCode } from "../../model/errors.ts";
import { cut, printable } from "../../model/text.ts";
import type { IsAwaited } from "../pipeline/rule-coverage.ts";
import { showDiff } from "../../console/output/show-diff.ts";
import { paint, count } from "../../console/output/text.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { dirname, basename } from "node:path";
import { isLink, repositoryAbove } from "../../system/files/inspect-path.ts";
import type { FileChange, AgentPlan } from "../../install/settings/file-change.ts";

export interface AgentReport {
  prepared: PreparedAgent;
  applied?: AppliedAgent;
  /** The agent's questions that no rule uses. */
  uncovered?: readonly string[];
}

export type Output = Pick<CommandIo, "stdout" | "stderr" | "isColor">;

export function showProblems(io: Output, problems: readonly InstallProblem[]): void {
  for (const problem of problems) {
    io.stderr(`${paint(io, "red", printable(describeInstallProblem(problem)))}\n  ${printable(problem.hint)}\n`);
  }
}

export function showWarnings(io: Output, warnings: readonly string[]): void {
  for (const warning of warnings) io.stderr(`${paint(io, "yellow", "note:")} ${printable(warning)}\n`);
}

export function showWritten(io: Output, { prepared: { plan }, applied }: AgentReport): void {
  const known = plan.problems.map(describeInstallProblem);
  showProblems(io, applied?.problems.filter((problem) => !known.includes(describeInstallProblem(problem))) ?? []);
  for (const { path, backup, isRemoved } of applied?.files ?? []) {
    const done = paint(io, "green", isRemoved ? "removed" : "wrote");
    io.stdout(`${done} ${path}${backup === undefined ? "" : `\n  backup: ${backup}`}\n`);
  }
}

/** The file behind a link that would change. */
export function showLinkNotes(io: Output, prepared: PreparedAgent): void {
  const notes = prepared.plan.changes.flatMap((change) => linkNotes(prepared, change));
  for (const note of notes) io.stdout(`${paint(io, "bold", printable(note))}\n`);
}

/** How many lines of a new hookbell file to show. */
const shownOfOwn = 5;

/** `isWhole` keeps long lines and hookbell's own new files. */
export function showDiffs(io: Output, reports: readonly AgentReport[], isWhole: boolean): void {
  for (const { before, after, source } of reports.flatMap(({ prepared }) => prepared.plan.changes)) {
    const lines = source.kind === "own" && before === undefined ? (after ?? "").trimEnd().split("\n") : [];
    if (isWhole || lines.length <= shownOfOwn) {
      showDiff(io, source.path, before, after, isWhole);
      continue;
    }
    const title = `new file ${printable(source.path)} (${lines.length} lines, hookbell's own; --dry-run shows all)`;
    const first = lines.slice(0, shownOfOwn).map((line) => paint(io, "green", `+${printable(cut(line, 120))}`));
    io.stdout(`${[paint(io, "bold", title), ...first, "…"].join("\n")}\n`);
  }
}

/** Problems before or while writing. */
export function problemsOf({ prepared, applied }: AgentReport): readonly InstallProblem[] {
  return applied?.problems ?? prepared.plan.problems;
}

/** Whether something was written, even if other files of the agent failed. */
export function isWritten({ applied }: AgentReport): boolean {
  return applied !== undefined && (applied.problems.length === 0 || applied.files.length > 0);
}

/** 0 without problems, 1 if some agents succeeded, otherwise the first problem's exit code. */
export function exitCodeOf(reports: readonly AgentReport[]): ExitCode {
  const refused = reports.filter((report) => problemsOf(report).length > 0);
  const [first] = refused.flatMap(problemsOf);
  if (first === undefined) return exitCodes.done;
  const isAnyChanged = refused.length < reports.length || refused.some((report) => isPartly(report));
  return isAnyChanged ? exitCodes.failed : first.exitCode;
}

function isPartly(report: AgentReport): boolean {
  const { prepared, applied } = report;
  return problemsOf(report).length > 0 && (applied?.files ?? prepared.plan.changes).length > 0;
}

/** What `init` says of an agent that no one has seen run with hookbell. */
export function untriedLines({ name, hookSetup }: Pick<AgentTarget, "name" | "hookSetup">): string[] {
  if (hookSetup.isUntried !== true) return [];
  return [`written from ${name}'s documentation and never tried: please report what works and what does not`];
}

function outcomeOf(report: AgentReport): "refused" | "partly" | "unchanged" | "planned" | "changed" {
  if (isPartly(report)) return "partly";
  if (problemsOf(report).length > 0) return "refused";
  if (report.prepared.plan.changes.length === 0) return "unchanged";
  return report.applied === undefined ? "planned" : "changed";
}

/** What `--json` prints. */
export function reportAsJson(
  reports: readonly AgentReport[],
  isAwaited?: IsAwaited,
  nextStepOf = ({ hookSetup }: AgentTarget): string | undefined => hookSetup.nextStep,
): unknown {
  return {
    agents: reports.map((report) => {
      const { prepared, applied } = report;
      const { plan, target } = prepared;
      const problems = problemsOf(report);
      const outcome = outcomeOf(report);
      return {
        id: target.id,
        outcome,
        files: plan.changes.map(({ source, before, after }) => ({
          path: source.path,
          linksTo: linkedFile(prepared, { source, before, after }),
          backup: applied?.files.find(({ path }) => path === source.path)?.backup,
          diff: unifiedDiff(source.path, before, after, true)
            .map(({ text }) => text)
            .join("\n"),
        })),
        problems: problems.map(({ path, line, column, message, hint }) => ({ path, line, column, message, hint })),
        warnings: [
          ...plan.warnings,
          ...(isAwaited === undefined ? [] : untriedLines(target)),
          ...(report.uncovered ?? []),
        ],
        events: isAwaited && coverageOf(target, plan.events, (name) => isAwaited(target.id, name)),
        nextStep: isWritten(report) ? nextStepOf(target) : undefined,
      };
    }),
  };
}

/** Undefined when there is no such link. */
function linkedFile({ reading, target }: PreparedAgent, { source }: FileChange): string | undefined {
  const realPath = reading.files.find((file) => file.source.path === source.path)?.opened.realPath;
  return realPath !== source.path && isLinkedBelow(source.path, target.placeOf({ path: "" })) ? realPath : undefined;
}

function linkNotes(prepared: PreparedAgent, change: FileChange): string[] {
  const realPath = linkedFile(prepared, change);
  if (realPath === undefined) return [];
  const repository = repositoryAbove(realPath);
  const isWritten = change.after?.includes(prepared.target.placeOf({ path: "" })) === true;
  return [
    `${change.source.path} is a link to ${realPath}`,
    ...(repository !== undefined && isWritten
      ? [`it is in the git repository ${repository}, and will contain an absolute path of this home folder`]
      : []),
  ];
}

function isLinkedBelow(path: string, home: string): boolean {
  if (isLink(path)) return true;
  const folder = dirname(path);
  return folder !== home && folder !== path && isLinkedBelow(folder, home);
}

export function showPlans(io: Output, reports: readonly AgentReport[], isDryRun: boolean): void {
  for (const { prepared, uncovered = [] } of reports) {
    const { plan, target } = prepared;
    const { changes, problems, warnings } = plan;
    showProblems(io, problems);
    // Without a change there is nothing to decide, and the user has seen the notes.
    const isNews = isDryRun || changes.length > 0 || problems.length > 0;
    if (isNews) showWarnings(io, warnings);
    showLinkNotes(io, prepared);
    if (changes.length > 0) io.stdout(`${target.name}: ${summaryOf(plan)}\n`);
    if (problems.length > 0) {
      const bad = new Set(problems.map(({ path }) => path)).size;
      io.stderr(`${target.name}: ${changes.length === 0 ? "not changed" : `${count(bad, "file")} not changed`}\n`);
    } else if (changes.length === 0) {
      const notes = ` (${count(warnings.length, "note")}: --dry-run shows ${warnings.length === 1 ? "it" : "them"})`;
      io.stdout(`${target.name}: nothing to change${isNews || warnings.length === 0 ? "" : notes}\n`);
    }
    showWarnings(io, uncovered);
  }
}

function summaryOf({ changes, missing }: AgentPlan): string {
  const filesOf = (isOwn: boolean): string =>
    changes.flatMap(({ source }) => ((source.kind === "own") === isOwn ? [basename(source.path)] : [])).join(" and ");
  const [hooks, own] = [filesOf(false), filesOf(true)];
  const isNew = changes.some(({ source, before }) => source.kind === "own" && before === undefined);
  const parts = [
    ...(hooks === ""
      ? []
      : [missing.length === 0 ? `updates its hooks in ${hooks}` : `adds ${count(missing.length, "hook")} to ${hooks}`]),
    ...(own === "" ? [] : [`${isNew ? "adds" : "updates"} ${own}, which is hookbell's own`]),
    "changes nothing of yours",
  ];
  return parts.join("; ");
}
