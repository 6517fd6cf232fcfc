import {
  assertOthersKept,
  fullText,
  inspectSource,
  type AgentPlan,
  type FileChange,
  type SettingsSource,
} from "./file-change.ts";
import type { OwnerOfHook } from "./find-hooks.ts";
import type { FileRecord } from "./install-record.ts";
import { removeOwnHooks, type Emptied } from "./remove-own-hooks.ts";

export interface UninstallSource extends SettingsSource {
  /** What init noted about the file. */
  record: FileRecord | undefined;
  /** SHA-256 of `bytes`. */
  hash: string | undefined;
  /** The bytes before init, when their backup is still sound. */
  original: Uint8Array | undefined;
}

/** Plans how our hooks get out of an agent's settings; a file that nobody touched since gets its old bytes back. */
export function planUninstall(sources: readonly UninstallSource[], ownerOf: OwnerOfHook): AgentPlan {
  const plans = sources.map((source) => planFile(source, ownerOf));
  return {
    changes: plans.flatMap(({ change }) => change ?? []),
    problems: plans.flatMap(({ problems }) => problems ?? []),
    warnings: plans.flatMap(({ warning }) => warning ?? []),
  };
}

interface FilePlan {
  change?: FileChange;
  problems?: AgentPlan["problems"];
  warning?: string;
}

function planFile(source: UninstallSource, ownerOf: OwnerOfHook): FilePlan {
  const { bytes, record } = source;
  if (bytes === undefined) return {};
  const reading = inspectSource(source, ownerOf);
  if ("problems" in reading) {
    // A file that cannot be read and does not mention us is none of our business here.
    const isMentioned = /hookbell|hook\.cjs/.test(Buffer.from(bytes).toString("latin1"));
    return isMentioned ? { problems: reading.problems } : {};
  }
  const before = reading.inspected;
  const warning = before.hooks.some(({ owner }) => owner === "mixed")
    ? `${source.path}: a command of yours calls hookbell among other things; it is left to you`
    : undefined;
  const rest = warning === undefined ? {} : { warning };
  if (!before.hooks.some(({ owner }) => owner === "own")) return rest;

  const change = (after: string | undefined): FilePlan => ({
    ...rest,
    change: { source, before: fullText(before.document), after },
  });
  if (record !== undefined && source.hash === record.writtenHash) {
    if (record.originalHash === null) return change(undefined);
    if (source.original !== undefined)
      return change(new TextDecoder("utf-8", { ignoreBOM: true }).decode(source.original));
  }
  const after = removeOwnHooks(before, (own) => own, emptiedOf(record), ownerOf);
  assertOthersKept(before, after);
  const isEmpty = after.document.text.trim() === "{}";
  return change(record?.originalHash === null && isEmpty ? undefined : fullText(after.document));
}

function emptiedOf(record: FileRecord | undefined): Emptied {
  return {
    // Without a record it is likelier that init made an array that is empty now than that it was there.
    mayRemoveEvent: (event) => record?.addedEvents.includes(event) ?? true,
    mayRemoveHooksKey: record?.hasAddedHooksKey ?? true,
  };
}
