import { dirname } from "node:path";
import { backUp, makeFolder, pruneBackups, removeBackup } from "../system/settings-backup.ts";
import { hashOf, replaceSettingsFile, type SettingsFile } from "../system/settings-file.ts";
import type { AgentTarget } from "./agent-target.ts";
import { applyPlan, type AppliedAgent, type PreparedAgent, type Written } from "./apply-plan.ts";
import type { FileChange } from "./file-change.ts";
import type { OwnerOfHook } from "./find-hooks.ts";
import { managedWarnings } from "./managed-settings.ts";
import { hookEntry, type Installation } from "./hook-command.ts";
import { fileRecordOf, withFileRecord, withHookPath } from "./install-record.ts";
import { ownerOf } from "./own-command.ts";
import { planInstall } from "./plan-install.ts";
import { findWriteProblems, readSettings } from "./read-settings.ts";
import { recordOf } from "./record-install.ts";
import type { RecordStore } from "./record-store.ts";

export interface WiringContext {
  installation: Installation;
  platform: NodeJS.Platform;
  nowMs: number;
  store: RecordStore;
}

export function recognise({ installation, store }: Pick<WiringContext, "installation" | "store">): OwnerOfHook {
  const { hookPaths } = store.read();
  return (command, args) => ownerOf(command, args, installation.hookPath, hookPaths);
}

/** Looks at an agent's settings and plans; writes nothing. */
export function prepareInstall(context: WiringContext, target: AgentTarget): PreparedAgent {
  const reading = readSettings(target);
  const planned = planInstall({
    wiring: target.wiring,
    sources: reading.files.map(({ source }) => source),
    entryFor: (timeoutSeconds) =>
      hookEntry(context.installation, target.id, target.wiring, timeoutSeconds, context.platform),
    ownerOf: recognise(context),
  });
  const problems = [...reading.problems, ...planned.problems, ...findWriteProblems(reading, planned.changes)];
  const links = reading.files.flatMap(({ opened }) =>
    opened.otherHardLinks > 0 && planned.changes.some(({ source }) => source.path === opened.path)
      ? [`${opened.path} has other hard links; those keep the old content`]
      : [],
  );
  const warnings = [...planned.warnings, ...links, ...managedWarnings(target.wiring, context.platform)];
  const plan = problems.length > 0 ? { changes: [], problems, warnings: [] } : { ...planned, warnings };
  return { target, plan, reading };
}

/** Writes a plan that `prepareInstall` made, with a backup of each file and a note for uninstall. */
export function applyInstall(context: WiringContext, first: PreparedAgent): AppliedAgent {
  return applyPlan(
    first,
    () => prepareInstall(context, first.target),
    (opened, change) => writeChange(context, opened, change),
  );
}

function writeChange(context: WiringContext, opened: SettingsFile, change: FileChange): Written {
  const { store, installation, nowMs } = context;
  const after = new TextEncoder().encode(change.after);
  const hasMadeFolder = makeFolder(dirname(opened.realPath));
  const backup = opened.bytes === undefined ? undefined : backUp(opened.path, opened.bytes, nowMs);
  const before = store.read();
  const earlier = fileRecordOf(before, opened.path);
  const record = recordOf({
    before: change.source,
    after,
    ownerOf: recognise(context),
    earlier,
    backup,
    hasMadeFolder,
    hashOf,
  });
  // Noted first: a note about a write that did not happen is harmless, the other way round the original is lost.
  store.write(withFileRecord(withHookPath(before, installation.hookPath), opened.path, record));
  let isWritten = false;
  try {
    isWritten = replaceSettingsFile(opened, after);
  } finally {
    if (!isWritten) {
      store.write(withFileRecord(withHookPath(before, installation.hookPath), opened.path, earlier));
      if (backup !== undefined) removeBackup(backup);
    }
  }
  if (!isWritten) return { isWritten };
  pruneBackups(opened.path, record.originalBackup);
  return { isWritten, backup };
}
