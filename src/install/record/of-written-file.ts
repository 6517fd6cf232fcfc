// Makes the record of a settings file that init writes.
import { sha256 } from "../../system/crypto.ts";
import type { OwnerOfHook } from "../settings/find-hooks.ts";
import { inspectSource, type HooksSource, type SettingsSource } from "../settings/file-change.ts";
import { seenContainer, type InspectedFile } from "../settings/inspect.ts";
import { isMadeByUs, type FileRecord } from "./record.ts";
import { entriesOf, memberOf } from "../../jsonc/nodes.ts";
import { ownTables } from "../settings/hook-tables.ts";
import { missingMembers } from "../settings/put-hooks.ts";

export interface WrittenFile {
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
  const { isOriginal, ...added } =
    before.kind === "hooks"
      ? hooksAdded(before, after, ownerOf, earlier)
      : { isOriginal: isUntouched(before, ownerOf), addedEvents: [], hasAddedHooksKey: false };
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
    madeFolders: [...madeFolders, ...foldersOf(earlier)],
  };
}

/** Whether hookbell has not been in it yet. */
function isUntouched(before: SettingsSource, ownerOf: OwnerOfHook): boolean {
  return before.bytes === undefined || (before.kind === "tables" && ownTables(before, ownerOf).length === 0);
}

function foldersOf(earlier: FileRecord | undefined): readonly string[] {
  return earlier?.madeFolders ?? [];
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
  const hadHooksKey = memberOf(was.document.root, "hooks") !== undefined;
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
