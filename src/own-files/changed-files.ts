// Finds the files of hookbell's own, by which agents call it, that another program has changed: the hook scripts of the state folder, and
// the plug-ins that `init` gave to agents.
import { dirname, join } from "node:path";
import { formatLocalMinute, formatLocalTime } from "../model/figures/duration.ts";
import { codeOf } from "../model/errors.ts";
import { sha256 } from "../system/crypto.ts";
import { type FileStamp, stampOf } from "../system/files/files.ts";
import { realPathOf } from "../system/files/inspect-path.ts";
import { notRegular, readBytesIfThere } from "../system/files/read.ts";
import { ownPackageFolder, stablePackageFolder } from "../system/package.ts";
import { emptyRecord, type InstallRecord, parseRecord, recordPath } from "./install-record.ts";
import { judgeScript, type KnownPaths, type ScriptJudgement } from "./judge-script.ts";
import { type ScriptName, scriptNames } from "./released-scripts.ts";

/** A file of hookbell's own, with a text that no version of it has written. */
export interface ChangedFile {
  path: string;
  /** The file's modification time, in milliseconds since the epoch. */
  changedAtMs: number;
  /** Such as "hookbell's hook script". */
  what: string;
}

/** Such as "hookbell's hook script was changed by another program at 14:02". */
export function describeChanged({ what, ...file }: ChangedFile, nowMs: number): string {
  return `${what} was ${changedByAnother(file, nowMs)}`;
}

/** Such as "changed by another program at 14:02". */
export function changedByAnother({ changedAtMs }: Pick<ChangedFile, "changedAtMs">, nowMs: number): string {
  const dayOf = (ms: number): string => formatLocalTime(ms).slice(0, "2026-01-31".length);
  const day = dayOf(changedAtMs) === dayOf(nowMs) ? "" : `on ${dayOf(changedAtMs)} `;
  return `changed by another program ${day}at ${formatLocalMinute(changedAtMs)}`;
}

/** As `Layout` in outbox/ has it. */
export interface StateFolder {
  root: string;
  memory<Part>(make: () => Part): Part;
}

/** The hook scripts that are in the state folder. */
export function judgeScripts(layout: StateFolder): { path: string; judgement: ScriptJudgement }[] {
  return scriptNames.flatMap((name) => {
    const path = join(layout.root, name);
    const judged = judge(layout, path, (text) => judgeText(layout, name, text));
    return judged === undefined ? [] : [{ path, judgement: judged.judgement }];
  });
}

/** Those that agents call: the scripts, and the plug-ins of `agent`, or of all agents. */
export function findChangedFiles(layout: StateFolder, agent?: string): ChangedFile[] {
  return [...findChangedScripts(layout), ...findChangedPlugIns(layout, agent)];
}

export function findChangedScripts(layout: StateFolder): ChangedFile[] {
  return scriptNames.flatMap((name) => {
    const path = join(layout.root, name);
    return changed(
      path,
      "hookbell's hook script",
      judge(layout, path, (text) => judgeText(layout, name, text)),
    );
  });
}

/** The one name that hookbell's plug-ins have whose hooks wait for an answer. */
const plugInName = /[\\/]hookbell\.js$/;

function findChangedPlugIns(layout: StateFolder, agent: string | undefined): ChangedFile[] {
  const plugIns = readRecord(layout).files.filter((file) => plugInName.test(file.path));
  return plugIns
    .filter((file) => agent === undefined || file.agent === agent)
    .flatMap((file) => findChangedFile(layout, file.path, `hookbell's plug-in for ${file.agent ?? "an agent"}`) ?? []);
}

/** A file that belongs to hookbell alone, if it is not as `init` wrote it; undefined if `init` has no record of it. */
export function findChangedFile(layout: StateFolder, path: string, what: string): ChangedFile[] | undefined {
  const written = readRecord(layout).files.find((file) => file.path === path)?.writtenHash;
  if (written === undefined) return undefined;
  return changed(
    path,
    what,
    judge(layout, path, (bytes) => (sha256(bytes) === written ? "current" : "changed")),
  );
}

function changed(path: string, what: string, judged: Judged | undefined): ChangedFile[] {
  return judged?.judgement === "changed" ? [{ path, what, changedAtMs: judged.stamp.mtimeMs }] : [];
}

function judgeText(layout: StateFolder, name: ScriptName, bytes: Buffer): ScriptJudgement {
  const record = readRecord(layout);
  const hookPaths = [...record.hookPaths, ...ownHookPaths()];
  return judgeScript(name, bytes.toString("utf8"), knownPaths(record, hookPaths), {
    own: templateIn(ownPackageFolder(), name),
    others: () => hookPaths.flatMap((path) => templateIn(dirname(dirname(path)), name) ?? []),
  });
}

/** 1.0.0-rc.1 did not record Node's path. */
function knownPaths({ nodePaths }: InstallRecord, hookPaths: readonly string[]): KnownPaths {
  return {
    isHook: (path) => hookPaths.includes(path),
    isNode: (path) => nodePaths?.includes(path) ?? /^(?:\/|[A-Za-z]:|%USERPROFILE%\\)/.test(path),
  };
}

function ownHookPaths(): string[] {
  const own = ownPackageFolder();
  return [own, stablePackageFolder(own, realPathOf)].map((folder) => join(folder, "dist", "hook.cjs"));
}

function templateIn(packageFolder: string, name: ScriptName): string | undefined {
  try {
    return readBytesIfThere(join(packageFolder, "hooks", name))?.toString("utf8");
  } catch {
    return undefined;
  }
}

interface Judged {
  stamp: FileStamp;
  judgement: ScriptJudgement;
}

interface Memory {
  judged: Map<string, Judged & { key: string }>;
  record?: { key: string; value: InstallRecord };
}

const memory = (): Memory => ({ judged: new Map() });

/** No text of hookbell's is longer. */
const maxBytes = 1024 * 1024;

/** Reads a file only if it, or the record, has changed since the last look. Undefined if there is none. */
function judge(layout: StateFolder, path: string, judgeBytes: (bytes: Buffer) => ScriptJudgement): Judged | undefined {
  const { judged } = layout.memory(memory);
  const stamp = stampOf(path);
  if (stamp === undefined) return undefined;
  const key = `${stamp.text} ${stampOf(recordPath(layout.root))?.text}`;
  const known = judged.get(path);
  if (known?.key === key) return known;
  const bytes = stamp.bytes > maxBytes ? "changed" : readOrJudge(path);
  if (bytes === undefined) return undefined;
  const fresh = { key, stamp, judgement: typeof bytes === "string" ? bytes : judgeBytes(bytes) };
  judged.set(path, fresh);
  return fresh;
}

/** What is no file cannot be hookbell's; of one that may not be read, nothing is known. */
function readOrJudge(path: string): Buffer | "changed" | undefined {
  try {
    return readBytesIfThere(path);
  } catch (error) {
    return codeOf(error) === notRegular ? "changed" : undefined;
  }
}

/** A record that cannot be read counts as empty. */
function readRecord(layout: StateFolder): InstallRecord {
  const known = layout.memory(memory);
  const path = recordPath(layout.root);
  const key = stampOf(path)?.text;
  if (key === undefined) return emptyRecord;
  if (known.record?.key === key) return known.record.value;
  try {
    const value = parseRecord(readBytesIfThere(path)?.toString("utf8"));
    known.record = { key, value };
    return value;
  } catch {
    return emptyRecord;
  }
}
