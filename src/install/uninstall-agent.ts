// Takes hookbell's hooks out of an agent's settings.
import { dirname } from "node:path";
import { sha256 } from "../system/crypto.ts";
import { removeIfThere } from "../system/files/files.ts";
import { readBytesIfThere } from "../system/files/read.ts";
import { backUp, backupsOf, pruneBackups, removeEmptyFolder } from "../system/files/settings-backup.ts";
import { isAbsent } from "../system/files/inspect-path.ts";
import { removeSettingsFile, replaceSettingsFile } from "../system/files/replace-settings-file.ts";
import type { SettingsFile } from "../system/files/settings-file.ts";
import type { AgentTarget } from "./target/agent-target.ts";
import { applyPlan, type AppliedAgent, type PreparedAgent, type Written } from "./plan/apply.ts";
import { allowedChanges, type FileChange, type SettingsSource } from "./settings/file-change.ts";
import type { FileRecord } from "../own-files/install-record.ts";
import { fileRecordOf, withFileRecord } from "./record/record.ts";
import { forUninstall } from "./problem.ts";
import { planUninstall, type UninstallSource } from "./plan/uninstall.ts";
import { findWriteProblems, readSettings } from "./target/read-settings.ts";
import { hookOwners, type InstallContext } from "./install-agent.ts";

/** Writes nothing. */
export function prepareUninstall(context: InstallContext, target: AgentTarget): PreparedAgent {
  const reading = readSettings(target, context.platform);
  const record = context.store.read();
  const sources = reading.files.map(({ source }): UninstallSource => {
    const file = fileRecordOf(record, source.path);
    return { source, record: file, hash: source.bytes && sha256(source.bytes), original: originalOf(file) };
  });
  const planned = planUninstall(sources, hookOwners(context));
  const { changes } = planned;
  // A file that cannot be read matters only when init wrote it.
  const unreadable = reading.problems.filter(({ path }) => fileRecordOf(record, path) !== undefined);
  const problems = [...planned.problems, ...unreadable, ...findWriteProblems(reading, changes)].map(forUninstall);
  return {
    target,
    reading,
    plan: {
      ...planned,
      changes: allowedChanges(changes, problems, target.hookSetup.isEveryFileUsed === true),
      problems,
    },
  };
}

export function applyUninstall(context: InstallContext, first: PreparedAgent): AppliedAgent {
  return applyPlan(
    first,
    () => prepareUninstall(context, first.target),
    (opened, change) => takeOut(context, opened, change),
  );
}

function takeOut(context: InstallContext, opened: SettingsFile, change: FileChange): Written {
  const before = context.store.read();
  const record = fileRecordOf(before, opened.path);
  const after = change.after === undefined ? undefined : new TextEncoder().encode(change.after);
  const isOriginal = record !== undefined && (after === undefined ? null : sha256(after)) === record.originalHash;
  const backup =
    isOriginal || opened.bytes === undefined || change.source.kind === "own"
      ? undefined
      : backUp(opened.path, opened.bytes, context.nowMs, context.store.stateDir);
  const isWritten = after === undefined ? removeSettingsFile(opened) : replaceSettingsFile(opened, after);
  if (!isWritten) {
    if (backup !== undefined) removeIfThere(backup);
    return undefined;
  }
  if (isOriginal && record.originalBackup !== undefined) removeIfThere(record.originalBackup);
  if (after === undefined) {
    for (const folder of madeFoldersOf(opened.realPath, record)) removeEmptyFolder(folder);
  }
  context.store.write(withFileRecord(before, opened.path, undefined));
  removeBackupsWithHooks(context, opened.path, change.source, backup);
  if (backup !== undefined) pruneBackups(opened.path, undefined, context.store.stateDir);
  return { backup };
}

/** Drops records of files without hooks, with their backups and folders. Returns the files that no longer exist. */
export function forgetSettled(context: InstallContext, target: AgentTarget): GoneFile[] {
  const { files, problems } = readSettings(target, context.platform);
  const isTroubled = (path: string): boolean => problems.some((each) => each.path === path);
  return context.store.read().files.flatMap((record): GoneFile[] => {
    const { path, agent, originalHash, originalBackup } = record;
    const source = files.find((file) => file.source.path === path)?.source;
    // A name with a `*` matches only files that exist.
    if (source === undefined && (agent !== target.id || isTroubled(path) || !isAbsent(path))) return [];
    const hash = source?.bytes && sha256(source.bytes);
    if (source !== undefined) {
      const left = planUninstall([{ source, record, hash, original: undefined }], hookOwners(context));
      if (left.changes.length + left.problems.length + left.warnings.length > 0) return [];
      removeBackupsWithHooks(context, path, source, originalBackup);
    }
    const isAsBefore = (hash ?? null) === originalHash;
    if (isAsBefore && originalBackup !== undefined) removeIfThere(originalBackup);
    context.store.write(withFileRecord(context.store.read(), path, undefined));
    if (hash !== undefined) return [];
    for (const folder of madeFoldersOf(path, record)) removeEmptyFolder(folder);
    return [{ path, backup: isAsBefore ? undefined : originalBackup }];
  });
}

export interface GoneFile {
  path: string;
  backup: string | undefined;
}

/** The innermost first. */
function madeFoldersOf(realPath: string, record: FileRecord | undefined): string[] {
  const ownFolder = record?.hasMadeFolder === true ? [dirname(realPath)] : [];
  return [...ownFolder, ...(record?.madeFolders ?? [])];
}

/** Restoring such a backup would bring the hooks back. */
function removeBackupsWithHooks(
  context: InstallContext,
  path: string,
  source: SettingsSource,
  kept: string | undefined,
): void {
  for (const backup of backupsOf(path, context.store.stateDir)) {
    const bytes = backup === kept ? undefined : readBytesIfThere(backup);
    if (bytes === undefined) continue;
    const each: UninstallSource = {
      source: { ...source, bytes },
      record: undefined,
      hash: undefined,
      original: undefined,
    };
    if (planUninstall([each], hookOwners(context)).changes.length > 0) removeIfThere(backup);
  }
}

/** Undefined unless the backup matches the record. */
function originalOf(record: FileRecord | undefined): Uint8Array | undefined {
  if (record?.originalBackup === undefined) return undefined;
  const bytes = readBytesIfThere(record.originalBackup);
  return bytes !== undefined && sha256(bytes) === record.originalHash ? bytes : undefined;
}
