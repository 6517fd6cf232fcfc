// Prints one line per agent with what init will change.
import { basename } from "node:path";
import type { AgentPlan } from "../../install/settings/file-change.ts";
import { count } from "../console/text.ts";
import { showLinkNotes, showProblems, showWarnings, type AgentReport, type Output } from "./report.ts";

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
  const filesOf = (kind: string): string =>
    changes.flatMap(({ source }) => (source.kind === kind ? [basename(source.path)] : [])).join(" and ");
  const [hooks, own, notify] = [filesOf("hooks"), filesOf("own"), filesOf("notify")];
  const isNew = changes.some(({ source, before }) => source.kind === "own" && before === undefined);
  const parts = [
    ...(hooks === ""
      ? []
      : [missing.length === 0 ? `updates its hooks in ${hooks}` : `adds ${count(missing.length, "hook")} to ${hooks}`]),
    ...(own === "" ? [] : [`${isNew ? "adds" : "updates"} ${own}, which is hookbell's own`]),
    ...(notify === "" ? [] : [`removes hookbell's old "notify" from ${notify}`]),
    "changes nothing of yours",
  ];
  return parts.join("; ");
}
