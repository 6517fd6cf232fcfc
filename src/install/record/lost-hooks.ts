// Finds hooks that init has written and that are gone: agents rewrite their settings, and lose some.
import type { AgentTarget } from "../target/agent-target.ts";
import { inspectSource } from "../settings/file-change.ts";
import type { OwnerOfHook } from "../settings/find-hooks.ts";
import { fileRecordOf, type InstallRecord } from "./record.ts";
import { readSettings } from "../target/read-settings.ts";

export function findLostHooks(
  target: AgentTarget,
  platform: NodeJS.Platform,
  record: InstallRecord,
  ownerOf: OwnerOfHook,
): { path: string; isFileGone: boolean; events: string[] }[] {
  return readSettings(target, platform).files.flatMap(({ source }) => {
    const { addedEvents = [] } = fileRecordOf(record, source.path) ?? {};
    if (source.kind !== "hooks" || addedEvents.length === 0) return [];
    const reading = inspectSource(source, ownerOf);
    if (!("inspected" in reading)) return [];
    const there = reading.inspected.hooks.flatMap(({ owner, event }) => (owner === "foreign" ? [] : [event]));
    const events = addedEvents.filter((event) => !there.includes(event));
    return events.length === 0 ? [] : [{ path: source.path, isFileGone: source.bytes === undefined, events }];
  });
}
