// Shows what init will change, before it is written.
import { describeInstallProblem } from "../../install/problem.ts";
import { printableLine } from "../../model/text.ts";
import { count } from "../console/text.ts";
import { problemsOf, showDiffs, showProblems, showWarnings, type AgentReport, type Output } from "./report.ts";

export function showPlans(io: Output, reports: readonly AgentReport[], isDryRun: boolean): void {
  for (const report of reports) {
    const { plan, target } = report.prepared;
    const { changes, problems, warnings } = plan;
    showProblems(io, problems);
    // Without a change there is nothing to decide, and the notes are known.
    const isNews = isDryRun || changes.length > 0 || problems.length > 0;
    if (isNews) showWarnings(io, warnings);
    const more =
      isNews || warnings.length === 0
        ? ""
        : ` (${count(warnings.length, "note")}: --dry-run shows ${warnings.length === 1 ? "it" : "them"})`;
    if (problems.length > 0) {
      const bad = new Set(problems.map(({ path }) => path)).size;
      io.stderr(`${target.name}: ${changes.length === 0 ? "not changed" : `${count(bad, "file")} not changed`}\n`);
    } else if (changes.length === 0) io.stdout(`${target.name}: nothing to change${more}\n`);
    showWarnings(io, report.uncovered ?? []);
  }
  showDiffs(
    io,
    reports.map(({ prepared }) => prepared),
    isDryRun,
  );
}

/** The plans in a few lines before the question: the details may have scrolled away. */
export function showRecap(io: Output, reports: readonly AgentReport[]): void {
  if (reports.length < 2) return;
  const writing = reports.filter(({ prepared }) => prepared.plan.changes.length > 0);
  const files = writing.flatMap(({ prepared }) => prepared.plan.changes).length;
  if (files > 0) io.stdout(`to write: ${count(files, "file")} of ${count(writing.length, "agent")}\n`);
  for (const line of refusalLines(reports)) io.stdout(`not changed: ${line}\n`);
}

/** Each agent with a problem, and the first one. */
export function refusalLines(reports: readonly AgentReport[]): string[] {
  return reports.flatMap((report) => {
    const [first] = problemsOf(report);
    if (first === undefined) return [];
    return [`${report.prepared.target.name} (${printableLine(describeInstallProblem(first))})`];
  });
}
