import { dirname } from "node:path";
import {
  backUp,
  backupsOf,
  pruneBackups,
  readBackup,
  removeBackup,
  removeEmptyFolder,
} from "../system/settings-backup.ts";
import { hashOf, removeSettingsFile, replaceSettingsFile } from "../system/replace-settings-file.ts";
import type { SettingsFile } from "../system/settings-file.ts";
import type { AgentTarget } from "./agent-target.ts";
import { applyPlan, type AppliedAgent, type PreparedAgent, type Written } from "./apply-plan.ts";
import type { FileChange, SettingsSource } from "./file-change.ts";
import { fileRecordOf, withFileRecord, type FileRecord } from "./install-record.ts";
import { planUninstall, type UninstallSource } from "./plan-uninstall.ts";
import { findWriteProblems, readSettings } from "./read-settings.ts";
import { recognise, type WiringContext } from "./wire-agent.ts";

/** Looks for our hooks in an agent's settings and plans how they go; writes nothing. */
export function prepareUninstall(context: WiringContext, target: AgentTarget): PreparedAgent {
  const reading = readSettings(target, context.platform);
  const record = context.store.read();
  const sources = reading.files.map(({ source }): UninstallSource => {
    const file = fileRecordOf(record, source.path);
    return { source, record: file, hash: source.bytes && hashOf(source.bytes), original: originalOf(file) };
  });
  const planned = planUninstall(sources, recognise(context));
  const { changes } = planned;
  // A file that cannot be read matters only when init once wrote it.
  const unreadable = reading.problems.filter(({ path }) => fileRecordOf(record, path) !== undefined);
  const problems = [...planned.problems, ...unreadable, ...findWriteProblems(reading, changes)];
  return {
    target,
    reading,
    plan: { ...planned, changes: problems.length > 0 ? [] : changes, problems },
  };
}

/** Writes a plan that `prepareUninstall` made. */
export function applyUninstall(context: WiringContext, first: PreparedAgent): AppliedAgent {
  return applyPlan(
    first,
    () => prepareUninstall(context, first.target),
    (opened, change) => takeOut(context, opened, change),
  );
}

function takeOut(context: WiringContext, opened: SettingsFile, change: FileChange): Written {
  const before = context.store.read();
  const record = fileRecordOf(before, opened.path);
  const after = change.after === undefined ? undefined : new TextEncoder().encode(change.after);
  const isOriginal = record !== undefined && (after === undefined ? null : hashOf(after)) === record.originalHash;
  // Giving back what was there before needs no copy of our own output.
  const backup =
    isOriginal || opened.bytes === undefined || change.source.kind === "own"
      ? undefined
      : backUp(opened.path, opened.bytes, context.nowMs);
  const isWritten = after === undefined ? removeSettingsFile(opened) : replaceSettingsFile(opened, after);
  if (!isWritten) {
    if (backup !== undefined) removeBackup(backup);
    return { isWritten };
  }
  if (isOriginal && record.originalBackup !== undefined) removeBackup(record.originalBackup);
  if (after === undefined) {
    const ownFolder = record?.hasMadeFolder === true ? [dirname(opened.realPath)] : [];
    for (const folder of [...ownFolder, ...(record?.madeFolders ?? [])]) removeEmptyFolder(folder);
  }
  context.store.write(withFileRecord(before, opened.path, undefined));
  removeBackupsWithHooks(context, opened.path, change.source, backup);
  if (backup !== undefined) pruneBackups(opened.path, undefined);
  return { isWritten, backup };
}

/** Copies that a later init made of what an earlier one wrote: putting one back would bring the hooks back. */
function removeBackupsWithHooks(
  context: WiringContext,
  path: string,
  source: SettingsSource,
  kept: string | undefined,
): void {
  for (const backup of backupsOf(path)) {
    const bytes = backup === kept ? undefined : readBackup(backup);
    if (bytes === undefined) continue;
    const each: UninstallSource = {
      source: { ...source, bytes },
      record: undefined,
      hash: undefined,
      original: undefined,
    };
    if (planUninstall([each], recognise(context)).changes.length > 0) removeBackup(backup);
  }
}

/** The bytes before init, when their backup is there and says what the record says. */
function originalOf(record: FileRecord | undefined): Uint8Array | undefined {
  if (record?.originalBackup === undefined) return undefined;
  const bytes = readBackup(record.originalBackup);
  return bytes !== undefined && hashOf(bytes) === record.originalHash ? bytes : undefined;
}
