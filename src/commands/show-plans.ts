import { count } from "./count.ts";
import { showDiffs, showProblems, showWarnings, type AgentReport, type Output } from "./settings-report.ts";

/** What init would do to each agent's settings, or why it leaves them alone, before anything is written. */
export function showPlans(io: Output, reports: readonly AgentReport[], isDryRun: boolean): void {
  for (const report of reports) {
    const { plan, target } = report.prepared;
    const { changes, problems, warnings } = plan;
    showProblems(io, problems);
    // Who has nothing to decide has read them before.
    const isNews = isDryRun || changes.length > 0 || problems.length > 0;
    if (isNews) showWarnings(io, warnings);
    const more =
      isNews || warnings.length === 0
        ? ""
        : ` (${count(warnings.length, "note")}: --dry-run shows ${warnings.length === 1 ? "it" : "them"})`;
    if (problems.length > 0) io.stderr(`${target.name}: left as it is\n`);
    else if (changes.length === 0) io.stdout(`${target.name}: nothing to change${more}\n`);
    showWarnings(io, report.unheard ?? []);
  }
  showDiffs(
    io,
    reports.map(({ prepared }) => prepared),
    isDryRun,
  );
}
