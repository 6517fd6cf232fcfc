import type { OwnerOfHook } from "./find-hooks.ts";
import { inspectSource, type SettingsSource } from "./file-change.ts";
import { seenContainer, type InspectedFile } from "./inspect-settings.ts";
import type { FileRecord } from "./install-record.ts";
import { entriesOf, memberOf } from "./json-nodes.ts";

export interface WrittenFile {
  before: SettingsSource;
  after: Uint8Array;
  ownerOf: OwnerOfHook;
  /** What an earlier init noted about this file. */
  earlier: FileRecord | undefined;
  /** Path of the backup made of `before`. */
  backup: string | undefined;
  hasMadeFolder: boolean;
  hashOf(bytes: Uint8Array): string;
}

/** What is to be noted about a file that init writes. */
export function recordOf({ before, after, ownerOf, earlier, backup, hasMadeFolder, hashOf }: WrittenFile): FileRecord {
  const was = inspect(before, ownerOf);
  const is = inspect({ ...before, bytes: after }, ownerOf);
  const eventsBefore = eventNames(was);
  const isUntouchedSince =
    earlier !== undefined && before.bytes !== undefined && hashOf(before.bytes) === earlier.writtenHash;
  // With entries of ours in it, what stands there now is nobody's original.
  const isOriginal = !was.hooks.some(({ owner }) => owner === "own");
  const original = isUntouchedSince
    ? { originalHash: earlier.originalHash, originalBackup: earlier.originalBackup }
    : isOriginal
      ? { originalHash: before.bytes === undefined ? null : hashOf(before.bytes), originalBackup: backup }
      : {};
  const addedNow = eventNames(is).filter((event) => !eventsBefore.includes(event));
  const addedEarlier = (earlier?.addedEvents ?? []).filter((event) => eventsBefore.includes(event));
  const hadHooksKey = memberOf(was.document.root, "hooks") !== undefined;
  return {
    path: before.path,
    ...original,
    writtenHash: hashOf(after),
    addedEvents: [...addedEarlier, ...addedNow],
    hasAddedHooksKey: hadHooksKey ? (earlier?.hasAddedHooksKey ?? false) : true,
    hasMadeFolder: hasMadeFolder || (earlier?.hasMadeFolder ?? false),
  };
}

function eventNames(inspected: InspectedFile): string[] {
  return entriesOf(seenContainer(inspected)).map(({ name }) => name);
}

function inspect(source: SettingsSource, ownerOf: OwnerOfHook): InspectedFile {
  const reading = inspectSource(source, ownerOf);
  if ("problems" in reading) throw new Error(`${source.path} was planned for and cannot be read now`);
  return reading.inspected;
}
