// What init did to each settings file, so that uninstall can restore the exact bytes.
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../../model/json.ts";
import { sha256 } from "../../system/crypto.ts";
import { hooksKeyOf, type OwnerOfHook } from "../settings/find-hooks.ts";
import { type HooksSource, inspectSource, type SettingsSource } from "../settings/file-change.ts";
import { type InspectedFile, seenContainer } from "../settings/inspect.ts";
import { entriesOf, memberOf } from "../../jsonc/nodes.ts";
import { ownTables } from "../settings/hook-tables.ts";
import { missingMembers } from "../settings/put-hooks.ts";
import { ensurePrivateDir } from "../../system/files/files.ts";
import { readIfThere } from "../../system/files/read.ts";
import { writeWhole } from "../../system/files/write.ts";

const fileRecordSchema = z.object({
  path: z.string(),
  /** The agent's id; absent in records of earlier releases. */
  agent: z.string().optional(),
  /** SHA-256 of the file before hookbell; null for no file; absent when that is lost. */
  originalHash: z.string().nullable().optional(),
  /** No file before hookbell, and edited since: `originalHash` is lost. */
  wasMissing: z.boolean().optional(),
  originalBackup: z.string().optional(),
  /** SHA-256 of the file after the last write. */
  writtenHash: z.string(),
  addedEvents: z.array(z.string()),
  /** Members that the agent requires and init added. */
  addedMembers: z.array(z.string()).optional(),
  hasAddedHooksKey: z.boolean(),
  /** Releases before 0.2 wrote the file's own folder. */
  hasMadeFolder: z.boolean(),
  /** The innermost first. */
  madeFolders: z.array(z.string()).optional(),
});

const installRecordSchema = z.object({
  /** A moved installation finds its old entries by these paths. */
  hookPaths: z.array(z.string()),
  files: z.array(fileRecordSchema),
});

export type FileRecord = z.infer<typeof fileRecordSchema>;
export type InstallRecord = z.infer<typeof installRecordSchema>;

export const emptyRecord: InstallRecord = { hookPaths: [], files: [] };

/** Returns an empty record if it is missing or damaged: uninstall then removes what it recognises. */
export function parseRecord(text: string | undefined): InstallRecord {
  return installRecordSchema.safeParse(parseJson(text ?? "")).data ?? emptyRecord;
}

export function fileRecordOf(record: InstallRecord, path: string): FileRecord | undefined {
  return record.files.find((file) => file.path === path);
}

export function isMadeByUs(record: FileRecord | undefined): boolean {
  return record?.originalHash === null || record?.wasMissing === true;
}

export function withFileRecord(record: InstallRecord, path: string, file: FileRecord | undefined): InstallRecord {
  const others = record.files.filter((other) => other.path !== path);
  return { ...record, files: file === undefined ? others : [...others, file] };
}

export function withHookPath(record: InstallRecord, hookPath: string): InstallRecord {
  return record.hookPaths.includes(hookPath) ? record : { ...record, hookPaths: [...record.hookPaths, hookPath] };
}

interface WrittenFile {
  agent: string;
  before: SettingsSource;
  after: Uint8Array;
  ownerOf: OwnerOfHook;
  earlier: FileRecord | undefined;
  backup: string | undefined;
  /** The folders that were made, the innermost first. */
  madeFolders: readonly string[];
}

export function recordOf({ agent, before, after, ownerOf, earlier, backup, madeFolders }: WrittenFile): FileRecord {
  const isUntouchedSince =
    earlier !== undefined && before.bytes !== undefined && sha256(before.bytes) === earlier.writtenHash;
  // Whether hookbell has not been in it yet.
  const isUntouched =
    before.bytes === undefined || (before.kind === "tables" && ownTables(before, ownerOf).length === 0);
  const { isOriginal, ...added } =
    before.kind === "hooks"
      ? hooksAdded(before, after, ownerOf, earlier)
      : { isOriginal: isUntouched, addedEvents: [], hasAddedHooksKey: false };
  const original = isUntouchedSince
    ? {
        originalHash: earlier.originalHash,
        originalBackup: earlier.originalBackup,
        ...(earlier.wasMissing === true ? { wasMissing: true } : {}),
      }
    : isOriginal
      ? { originalHash: before.bytes === undefined ? null : sha256(before.bytes), originalBackup: backup }
      : isMadeByUs(earlier)
        ? { wasMissing: true }
        : {};
  return {
    path: before.path,
    agent,
    ...original,
    writtenHash: sha256(after),
    ...added,
    hasMadeFolder: false,
    madeFolders: [...madeFolders, ...(earlier?.madeFolders ?? [])],
  };
}

type Added = Pick<FileRecord, "addedEvents" | "addedMembers" | "hasAddedHooksKey"> & {
  /** True if nothing in it is hookbell's: it is an original. */
  isOriginal: boolean;
};

function hooksAdded(
  before: HooksSource,
  after: Uint8Array,
  ownerOf: OwnerOfHook,
  earlier: FileRecord | undefined,
): Added {
  const was = inspect(before, ownerOf);
  const is = inspect({ ...before, bytes: after }, ownerOf);
  const eventsBefore = eventNames(was);
  const addedNow = eventNames(is).filter((event) => !eventsBefore.includes(event));
  const addedEarlier = (earlier?.addedEvents ?? []).filter((event) => eventsBefore.includes(event));
  const missingBefore = missingMembers(was);
  const membersEarlier = (earlier?.addedMembers ?? []).filter((name) => !missingBefore.includes(name));
  const hadHooksKey = memberOf(was.document.root, hooksKeyOf(before.file)) !== undefined;
  return {
    isOriginal: !was.hooks.some(({ owner }) => owner === "own"),
    addedEvents: [...addedEarlier, ...addedNow],
    addedMembers: [...membersEarlier, ...missingBefore.filter((name) => !missingMembers(is).includes(name))],
    hasAddedHooksKey: hadHooksKey ? (earlier?.hasAddedHooksKey ?? false) : true,
  };
}

function eventNames(inspected: InspectedFile): string[] {
  return entriesOf(seenContainer(inspected)).map(({ name }) => name);
}

function inspect(source: HooksSource, ownerOf: OwnerOfHook): InspectedFile {
  const reading = inspectSource(source, ownerOf);
  if ("problems" in reading) throw new Error(`${source.path} was planned for and cannot be read now`);
  return reading.inspected;
}

export interface RecordStore {
  stateDir: string;
  read(): InstallRecord;
  write(record: InstallRecord): void;
}

const fileName = "installed.json";

/** A record that cannot be read counts as empty. */
export function recordStore(stateDir: string): RecordStore {
  const path = join(stateDir, fileName);
  return {
    stateDir,
    read() {
      try {
        return parseRecord(readIfThere(path));
      } catch {
        return parseRecord(undefined);
      }
    },
    write(record) {
      ensurePrivateDir(stateDir);
      writeWhole(path, `${JSON.stringify(record, undefined, 2)}\n`);
    },
  };
}
