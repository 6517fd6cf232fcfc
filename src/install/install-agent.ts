// Adds hookbell's hooks to an agent's settings.
import { dirname } from "node:path";
import { withAnswers, withNamedEvents, type HookedEvent } from "../agents/hook-setup.ts";
import { backUp, makeFolders, pruneBackups, removeEmptyFolder } from "../system/files/settings-backup.ts";
import { sha256 } from "../system/crypto.ts";
import { removeIfThere } from "../system/files/files.ts";
import { replaceSettingsFile } from "../system/files/replace-settings-file.ts";
import type { SettingsFile } from "../system/files/settings-file.ts";
import type { AgentTarget } from "./target/agent-target.ts";
import { type Feature, isNeeded } from "./target/event-coverage.ts";
import { applyPlan, type AppliedAgent, type PreparedAgent, type Written } from "./plan/apply.ts";
import { emptyPlan, allowedChanges, type FileChange } from "./settings/file-change.ts";
import type { OwnerOfHook } from "./settings/find-hooks.ts";
import { managedProblems, switchWarnings } from "./target/managed-settings.ts";
import { hookArgv, hookEntry, type Installation } from "./command/hook-command.ts";
import { fileRecordOf, recordOf, type RecordStore, withFileRecord, withInstallation } from "./record/record.ts";
import { ownerOf } from "./command/owner.ts";
import { planInstall } from "./plan/hooks.ts";
import { findWriteProblems, readSettings } from "./target/read-settings.ts";

export interface InstallContext {
  installation: Installation;
  platform: NodeJS.Platform;
  nowMs: number;
  store: RecordStore;
  /** If absent, every usual event gets a hook. */
  isWanted?: (agentId: string, names: readonly string[], mustBeNamed: boolean) => boolean;
  isAllEvents?: boolean | undefined;
  /** What the rules switch on for an agent, and needs events that no rule names. */
  featuresOf?: ((agentId: string) => readonly Feature[]) | undefined;
  /** The kinds of events for which hooks wait for a person's answer. */
  answerable?: readonly HookedEvent["isAnswerable"][] | undefined;
}

/** Whether the rules, or a feature that they switch on, want the event. */
export function isEventWanted(
  { isWanted, isAllEvents, featuresOf }: Pick<InstallContext, "isWanted" | "isAllEvents" | "featuresOf">,
  { id, hookSetup }: Pick<AgentTarget, "id" | "hookSetup">,
  event: string,
): boolean {
  const installed = hookSetup.events[event];
  if (installed === undefined) return false;
  if (isNeeded(installed, featuresOf?.(id) ?? [])) return true;
  if ((isAllEvents === true || isWanted === undefined) && installed.isOnlyIfNamed !== true) return true;
  const mustBeNamed = installed.isOnlyIfNamed === true;
  return (
    installed.isSupporting === true ||
    isWanted?.(id, [...installed.mapsTo, ...(installed.alsoFor ?? [])], mustBeNamed) === true
  );
}

export function hookOwners({ installation, store }: Pick<InstallContext, "installation" | "store">): OwnerOfHook {
  const { hookPaths } = store.read();
  return (command, args) => ownerOf(command, args, installation.hookPath, hookPaths);
}

/** Writes nothing. */
export function prepareInstall(context: InstallContext, given: AgentTarget): PreparedAgent {
  const { installation, platform, answerable, isWanted } = context;
  const named = withNamedEvents(given.hookSetup, (event) => isWanted?.(given.id, [event], true) === true);
  const target = { ...given, hookSetup: answerable === undefined ? named : withAnswers(named, answerable) };
  const { hookSetup, folder } = target;
  const reading = readSettings(target, platform);
  const planned = planInstall({
    hookSetup,
    folder,
    platform,
    sources: reading.files.map(({ source }) => source),
    isWanted: (event) => isEventWanted(context, target, event),
    argvFor: (event) => hookArgv(installation, target, event, platform),
    entryFor: (event, found) => hookEntry(installation, target, event, platform, found),
    ownerOf: hookOwners(context),
  });
  const managed = managedProblems(target);
  const problems = [
    ...managed,
    ...reading.problems,
    ...planned.problems,
    ...findWriteProblems(reading, planned.changes),
  ];
  const links = reading.files.flatMap(({ opened }) =>
    opened.otherHardLinks > 0 && planned.changes.some(({ source }) => source.path === opened.path)
      ? [`${opened.path} has other hard links, which keep the old content`]
      : [],
  );
  const { strayVariable: stray } = target;
  const strays =
    stray === undefined
      ? []
      : [
          `${stray.name} is ${JSON.stringify(stray.value)}, which is no absolute path, so its hooks are in ${folder}; write the whole path`,
        ];
  const warnings = [...planned.warnings, ...links, ...switchWarnings(target), ...strays];
  const isPartial = hookSetup.isEveryFileUsed === true && managed.length === 0;
  const changes = allowedChanges(planned.changes, problems, isPartial);
  const isRefused = problems.length > 0 && changes.length === 0;
  const plan = isRefused ? { ...emptyPlan, problems } : { ...planned, changes, problems, warnings };
  return { target, plan, reading };
}

/** Backs up each file first, and keeps a record for uninstall. */
export function applyInstall(context: InstallContext, first: PreparedAgent): AppliedAgent {
  return applyPlan(
    first,
    () => prepareInstall(context, first.target),
    (opened, change) => writeChange(context, first.target.id, opened, change),
  );
}

function writeChange(context: InstallContext, agent: string, opened: SettingsFile, change: FileChange): Written {
  const { store, installation, nowMs } = context;
  const after = new TextEncoder().encode(change.after);
  const madeFolders = makeFolders(dirname(opened.realPath));
  const before = store.read();
  const earlier = fileRecordOf(before, opened.path);
  const { bytes } = opened;
  // A file that hookbell made and that is unchanged needs no backup.
  const isWhollyOurs =
    change.source.kind === "own" ||
    (earlier?.originalHash === null && bytes !== undefined && sha256(bytes) === earlier.writtenHash);
  const backup = bytes === undefined || isWhollyOurs ? undefined : backUp(opened.path, bytes, nowMs, store.stateDir);
  const record = recordOf({
    agent,
    before: change.source,
    after,
    ownerOf: hookOwners(context),
    earlier,
    backup,
    madeFolders,
  });
  // The record comes first: without a write it is harmless; a write without a record loses the original.
  store.write(withFileRecord(withInstallation(before, installation), opened.path, record));
  const isProgram = change.source.kind === "own" && change.source.file.isExecutable === true;
  let isWritten = false;
  try {
    isWritten = replaceSettingsFile(isProgram ? { ...opened, mode: programMode } : opened, after);
  } finally {
    if (!isWritten) {
      store.write(withFileRecord(withInstallation(before, installation), opened.path, earlier));
      if (backup !== undefined) removeIfThere(backup);
      for (const folder of madeFolders) removeEmptyFolder(folder);
    }
  }
  if (!isWritten) return undefined;
  pruneBackups(opened.path, record.originalBackup, store.stateDir);
  return { backup };
}

const programMode = 0o700;
