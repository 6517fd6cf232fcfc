// Plans how hookbell's hooks are removed from an agent's settings.
import {
  assertOthersKept,
  emptyPlan,
  fullText,
  inspectSource,
  joinPlans,
  planOfMixed,
  planOfUnreadable,
  textOfBytes,
  type AgentPlan,
  type HooksSource,
  type OwnFileSource,
  type SettingsSource,
} from "../settings/file-change.ts";
import type { OwnerOfHook } from "../settings/find-hooks.ts";
import type { FileRecord } from "../../own-files/install-record.ts";
import { isMadeByUs } from "../record/record.ts";
import { planTablesRemoval } from "./hook-tables.ts";
import { isMarkedOwn, isUntouchedOwn, ownFileText } from "../command/owner.ts";
import { removeOwnHooks, type Emptied } from "../settings/remove-hooks.ts";

export interface UninstallSource {
  source: SettingsSource;
  record: FileRecord | undefined;
  /** SHA-256 of `bytes`. */
  hash: string | undefined;
  /** The bytes before init, when their backup is intact. */
  original: Uint8Array | undefined;
}

/** A file that is unchanged since init gets its original bytes back. */
export function planUninstall(sources: readonly UninstallSource[], ownerOf: OwnerOfHook): AgentPlan {
  // Inner folders are empty first.
  return joinPlans(sources.toReversed().map((each) => planFile(each, ownerOf)));
}

function planFile(each: UninstallSource, ownerOf: OwnerOfHook): AgentPlan {
  const { source, record } = each;
  if (source.bytes === undefined) return emptyPlan;
  const plan =
    source.kind === "hooks"
      ? planHooksRemoval(source, record, ownerOf)
      : source.kind === "tables"
        ? planTablesRemoval(source, isMadeByUs(record), ownerOf)
        : planOwnFileRemoval(source, each);
  const [change] = plan.changes;
  const given = givenBack(each);
  return change === undefined || given === undefined ? plan : { ...plan, changes: [{ ...change, after: given.after }] };
}

/** Undefined when the file changed since init; `after` is undefined for no file. */
function givenBack({ record, hash, original }: UninstallSource): { after: string | undefined } | undefined {
  if (record === undefined || hash !== record.writtenHash) return undefined;
  if (record.originalHash === null) return { after: undefined };
  return original === undefined ? undefined : { after: textOfBytes(original) };
}

function planHooksRemoval(source: HooksSource, record: FileRecord | undefined, ownerOf: OwnerOfHook): AgentPlan {
  const reading = inspectSource(source, ownerOf);
  if ("problems" in reading) return planOfUnreadable(source, reading.problems);
  const before = reading.inspected;
  const plan = planOfMixed(source.path, before.hooks);
  if (!before.hooks.some(({ owner }) => owner === "own")) return plan;
  const emptied: Emptied = {
    // Without a record, an empty array is more likely init's than the user's.
    mayRemoveEvent: (event) => record?.addedEvents.includes(event) ?? true,
    mayRemoveHooksKey: record?.hasAddedHooksKey ?? true,
    addedMembers: record?.addedMembers ?? [],
  };
  const after = removeOwnHooks(before, (own) => own, emptied);
  assertOthersKept(before, after, emptied.addedMembers);
  const isEmpty = after.document.text.trim() === "{}";
  const text = isMadeByUs(record) && isEmpty ? undefined : fullText(after.document);
  return { ...plan, changes: [{ source, before: fullText(before.document), after: text }] };
}

function planOwnFileRemoval(source: OwnFileSource, { record, hash }: UninstallSource): AgentPlan {
  const text = textOfBytes(source.bytes ?? new Uint8Array());
  const isPlain = source.file.comment === undefined;
  const isOwn = isPlain
    ? record?.writtenHash === hash || text === ownFileText(source.file, { argv: [], platform: "linux", events: [] })
    : isUntouchedOwn(text);
  if (isOwn) return { ...emptyPlan, changes: [{ source, before: text, after: undefined }] };
  if (isPlain ? record === undefined : !isMarkedOwn(text)) return emptyPlan;
  const events = isPlain ? [] : [source.file.event ?? source.path];
  const stays = isPlain ? "" : " and goes on calling hookbell; delete it to stop that";
  return { ...emptyPlan, events, warnings: [`${source.path}: you changed it, so it stays${stays}`] };
}
