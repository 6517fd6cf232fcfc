import { afterwardsOf } from "../../install/target/agent-target.ts";
import { findOwnNoises } from "../../install/target/own-notifications.ts";
import type { IsAwaited } from "../pipeline/awaited-events.ts";
import { paint } from "../console/text.ts";
import { eventLines, importLines } from "./event-lines.ts";
import { refusalLines } from "./show-plans.ts";
import { isWritten, showWritten, type AgentReport, type Output } from "./report.ts";

/** What init wrote, or would write, and what the person has to know or to do before an agent calls. */
export function showInstalled(
  io: Output,
  reports: readonly AgentReport[],
  { isDryRun, isAwaited, newRules }: { isDryRun: boolean; isAwaited: IsAwaited; newRules: string | undefined },
): void {
  const written = reports.filter(isWritten);
  for (const report of reports) {
    showWritten(io, report);
    const { prepared } = report;
    const isPlanned = isDryRun && prepared.plan.changes.length > 0;
    if (isPlanned) io.stdout(`${prepared.target.name}:\n`);
    if (!isPlanned && !written.includes(report)) continue;
    const { target } = prepared;
    const lines = [afterwardsOf(target), ...findOwnNoises(target), ...importLines(target, reports)];
    io.stdout([...eventLines(prepared, isAwaited), ...lines].map((line) => `  ${line}\n`).join(""));
  }
  if (isDryRun) io.stdout("dry run: nothing was written\n");
  else if (written.length > 0) for (const line of refusalLines(reports)) io.stderr(`hookbell: not wired: ${line}\n`);
  if (newRules !== undefined) io.stdout(`${paint(io, "green", "wrote")} ${newRules}\n`);
  const names = written.map(({ prepared }) => prepared.target.id).join(",");
  if (names !== "") io.stdout(`try it: hookbell test; hookbell init --verify ${names}\n`);
}
