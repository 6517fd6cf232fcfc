// What init did to each settings file, so that uninstall can restore the exact bytes.
import { sha256 } from "../../system/crypto.ts";
import type { Installation } from "../command/hook-command.ts";
import { hooksKeyOf, type OwnerOfHook } from "../settings/find-hooks.ts";
import { type HooksSource, inspectSource, type SettingsSource } from "../settings/file-change.ts";
import { type InspectedFile, seenContainer } from "../settings/inspect.ts";
import { entriesOf, memberOf } from "../../jsonc/nodes.ts";
import { ownTables } from "../settings/hook-tables.ts";
import { missingMembers } from "../settings/put-hooks.ts";
import { type FileRecord, type InstallRecord, parseRecord, recordPath } from "../../own-files/install-record.ts";
import { ensurePrivateDir } from "../../system/files/files.ts";
import { readIfThere } from "../../system/files/read.ts";
import { writeWhole } from "../../system/files/write.ts";

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

/** Adds the paths that its hooks and scripts have, by which they are known again. */
export function withInstallation(
  record: InstallRecord,
  { hookPath, nodePath, nodeForCmd }: Pick<Installation, "hookPath" | "nodePath" | "nodeForCmd">,
): InstallRecord {
  const hookPaths = withNew(record.hookPaths, [hookPath]);
  const nodePaths = withNew(record.nodePaths, [nodePath, nodeForCmd]);
  const isKnown = hookPaths === record.hookPaths && nodePaths === record.nodePaths;
  return isKnown ? record : { ...record, hookPaths, nodePaths };
}

/** The same list if nothing is new. */
function withNew(list: string[] | undefined, found: readonly (string | undefined)[]): string[] {
  const fresh = found.filter((path) => path !== undefined && path !== "" && list?.includes(path) !== true);
  return list !== undefined && fresh.length === 0 ? list : [...(list ?? []), ...(fresh as string[])];
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

/** A record that cannot be read counts as empty. */
export function recordStore(stateDir: string): RecordStore {
  const path = recordPath(stateDir);
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
