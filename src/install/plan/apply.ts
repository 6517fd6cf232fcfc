// Writes a plan, and plans again when a file has changed in the meantime.
import { codeOf, describeWriteError, exitCodes } from "../../model/errors.ts";
import type { SettingsFile } from "../../system/files/settings-file.ts";
import type { AgentTarget } from "../target/agent-target.ts";
import type { AgentPlan, FileChange } from "../settings/file-change.ts";
import type { InstallProblem } from "../problem.ts";
import type { SettingsReading } from "../target/read-settings.ts";

export interface PreparedAgent {
  target: AgentTarget;
  plan: AgentPlan;
  reading: SettingsReading;
}

export interface AppliedAgent {
  files: { path: string; backup: string | undefined; isRemoved: boolean }[];
  problems: InstallProblem[];
}

/** Undefined, and nothing written, if the file has changed since it was read. */
export type Written = { backup: string | undefined } | undefined;

const maxAttempts = 3;

/** A file that changed since is planned again and never overwritten. */
export function applyPlan(
  first: PreparedAgent,
  prepareAgain: () => PreparedAgent,
  write: (opened: SettingsFile, change: FileChange) => Written,
): AppliedAgent {
  const applied: AppliedAgent = { files: [], problems: [] };
  let prepared = first;
  for (let attempt = 1; ; attempt += 1) {
    const { changes, problems } = prepared.plan;
    // If nothing is left to change, what was written can be read.
    const [next] = changes;
    if (next === undefined) return { ...applied, problems };
    if (attempt > maxAttempts) return { ...applied, problems: [busyProblem(next.source.path)] };
    for (const change of changes) {
      const opened = prepared.reading.files.find(({ source }) => source === change.source)?.opened;
      if (opened === undefined) throw new Error(`${change.source.path} was planned for without being read`);
      try {
        const written = write(opened, change);
        if (written === undefined) break;
        applied.files.push({ path: opened.path, backup: written.backup, isRemoved: change.after === undefined });
      } catch (error) {
        if (codeOf(error) === undefined) throw error;
        return { ...applied, problems: [...problems, writeProblem(opened.path, error)] };
      }
    }
    prepared = prepareAgain();
  }
}

function busyProblem(path: string): InstallProblem {
  const hint = "close the agent, then run this again";
  return { path, message: "another program keeps changing the file", hint, exitCode: exitCodes.cannotWrite };
}

function writeProblem(path: string, error: unknown): InstallProblem {
  return {
    path,
    message: `cannot be written: ${describeWriteError(error)}`,
    hint: "it was not changed; fix that, then run this again",
    exitCode: exitCodes.cannotWrite,
  };
}
