import { dirname } from "node:path";
import { describeWriteError, exitCodes } from "../model/errors.ts";
import { backUp, makeFolder, pruneBackups, removeBackup } from "../system/settings-backup.ts";
import { hashOf, replaceSettingsFile, type SettingsFile } from "../system/settings-file.ts";
import type { AgentTarget } from "./agent-target.ts";
import type { AgentPlan, FileChange } from "./file-change.ts";
import type { OwnerOfHook } from "./find-hooks.ts";
import { managedWarnings } from "./managed-settings.ts";
import { hookEntry, type Installation } from "./hook-command.ts";
import { fileRecordOf, withFileRecord, withHookPath } from "./install-record.ts";
import { ownerOf } from "./own-command.ts";
import { planInstall } from "./plan-install.ts";
import { findWriteProblems, readSettings, type SettingsReading } from "./read-settings.ts";
import { recordOf } from "./record-install.ts";
import type { RecordStore } from "./record-store.ts";

export interface WiringContext {
  installation: Installation;
  platform: NodeJS.Platform;
  nowMs: number;
  store: RecordStore;
}

/** A plan together with the files it was made from. */
export interface PreparedAgent {
  target: AgentTarget;
  plan: AgentPlan;
  reading: SettingsReading;
}

/** What became of one agent's settings. */
export interface AppliedAgent {
  files: { path: string; backup: string | undefined; isRemoved: boolean }[];
  problems: AgentPlan["problems"];
}

/** How often a plan is made anew when the file changes under our hands. */
const mostAttempts = 3;

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

/** Writes a plan. A file that somebody changed since is planned anew and never overwritten. */
export function applyInstall(context: WiringContext, first: PreparedAgent): AppliedAgent {
  const applied: AppliedAgent = { files: [], problems: [] };
  let prepared = first;
  for (let attempt = 1; ; attempt += 1) {
    if (prepared.plan.problems.length > 0) return { ...applied, problems: prepared.plan.problems };
    // Nothing left to change is also the proof that what was written is there and reads well.
    if (prepared.plan.changes.length === 0) return applied;
    if (attempt > mostAttempts) return { ...applied, problems: [busyProblem(prepared.plan.changes[0])] };
    for (const change of prepared.plan.changes) {
      const opened = prepared.reading.files.find(({ source }) => source === change.source)?.opened;
      if (opened === undefined || change.after === undefined) continue;
      try {
        const backup = writeChange(context, opened, change, change.after);
        if (backup === "changedMeanwhile") break;
        applied.files.push({ path: opened.path, backup, isRemoved: false });
      } catch (error) {
        return { ...applied, problems: [writeProblem(opened.path, error)] };
      }
    }
    prepared = prepareInstall(context, first.target);
  }
}

function writeChange(
  context: WiringContext,
  opened: SettingsFile,
  change: FileChange,
  text: string,
): string | undefined | "changedMeanwhile" {
  const { store, installation, nowMs } = context;
  const after = new TextEncoder().encode(text);
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
  if (!isWritten) return "changedMeanwhile";
  pruneBackups(opened.path, record.originalBackup);
  return backup;
}

export function busyProblem(change: FileChange | undefined): AgentPlan["problems"][number] {
  return {
    path: change?.source.path ?? "",
    message: "another program keeps changing the file",
    hint: "close the agent, then run this again",
    exitCode: exitCodes.cannotWrite,
  };
}

export function writeProblem(path: string, error: unknown): AgentPlan["problems"][number] {
  return {
    path,
    message: `cannot be written: ${describeWriteError(error)}`,
    hint: "nothing was changed in it; mend that, then run this again",
    exitCode: exitCodes.cannotWrite,
  };
}
