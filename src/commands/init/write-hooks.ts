// Writes the hook script and the hooks of each agent.
import type { Installation } from "../../install/command/hook-command.ts";
import { putHookScript } from "../../install/hook-script.ts";
import { applyInstall, type WiringContext } from "../../install/install-agent.ts";
import { describeWriteError, exitCodes, UserError } from "../../model/errors.ts";
import type { CommandIo } from "../console/command-io.ts";
import type { AgentReport } from "./report.ts";

export interface HooksToWrite {
  context: WiringContext;
  reports: AgentReport[];
  isScriptDue: boolean;
  /** Plans again, for the other form of the hooks. */
  planAgain(context: WiringContext): AgentReport[];
}

/** A problem with one agent does not stop the others. */
export function writeHooks(
  io: Pick<CommandIo, "stderr" | "places">,
  { context, reports, isScriptDue, planAgain }: HooksToWrite,
): { reports: AgentReport[]; newScript: string | undefined } {
  if (!isScriptDue) return { reports: applyAll(context, reports), newScript: undefined };
  // The script first: no hook may call a missing file.
  const installation = putScript(context.installation);
  const newScript = installation.scriptPath;
  if (newScript !== undefined) return { reports: applyAll(context, reports), newScript };
  io.stderr(`hookbell: programs cannot run in ${io.places.stateDir}, so the hooks call Node, which is slower\n`);
  const withNode = { ...context, installation };
  return { reports: applyAll(withNode, planAgain(withNode)), newScript };
}

function applyAll(context: WiringContext, reports: readonly AgentReport[]): AgentReport[] {
  return reports.map((report) =>
    report.prepared.plan.changes.length > 0 ? { ...report, applied: applyInstall(context, report.prepared) } : report,
  );
}

function putScript(installation: Installation): Installation {
  try {
    return putHookScript(installation);
  } catch (error) {
    const where = installation.scriptPath ?? "";
    throw new UserError("install.script", `cannot write ${where}: ${describeWriteError(error)}`, {
      hint: "nothing was written; make the folder writable, or set HOOKBELL_STATE_DIR to another one",
      exitCode: exitCodes.cannotWrite,
    });
  }
}
