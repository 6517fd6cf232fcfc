// Takes another program's hooks out of an agent's settings, as uninstall takes out hookbell's.
import { replaceWithBackup } from "../system/files/settings-backup.ts";
import { applyPlan, type AppliedAgent, type PreparedAgent } from "./plan/apply.ts";
import { planUninstall } from "./plan/uninstall.ts";
import { forUninstall } from "./problem.ts";
import { allowedChanges } from "./settings/file-change.ts";
import type { OwnerOfHook } from "./settings/find-hooks.ts";
import type { AgentTarget } from "./target/agent-target.ts";
import { findWriteProblems, readSettings } from "./target/read-settings.ts";

/** Writes nothing. `ownerOf` says "own" of the hooks to take out. */
export function prepareRemoval(target: AgentTarget, platform: NodeJS.Platform, ownerOf: OwnerOfHook): PreparedAgent {
  const reading = readSettings(target, platform);
  // Without a record, planning edits the text. Files of hookbell's own hold no one else's hooks.
  const sources = reading.files.flatMap(({ source }) =>
    source.kind === "own" ? [] : [{ source, record: undefined, hash: undefined, original: undefined }],
  );
  const planned = planUninstall(sources, ownerOf);
  const problems = [...planned.problems, ...findWriteProblems(reading, planned.changes)].map(forUninstall);
  const changes = allowedChanges(planned.changes, problems, target.hookSetup.isEveryFileUsed === true);
  return { target, reading, plan: { ...planned, changes, problems, warnings: [] } };
}

/** Each file's bytes are backed up first. */
export function applyRemoval(
  first: PreparedAgent,
  place: { platform: NodeJS.Platform; nowMs: number; stateDir: string },
  ownerOf: OwnerOfHook,
): AppliedAgent {
  return applyPlan(
    first,
    () => prepareRemoval(first.target, place.platform, ownerOf),
    (opened, { after }) => {
      if (opened.bytes === undefined || after === undefined) throw new Error(`${opened.path} has no hooks to remove`);
      return replaceWithBackup(opened, after, place);
    },
  );
}
