// A settings file as it is read, edited and checked: what all plans are made of.
import type { EntryForm, OwnFile, HookSetup, HooksFile } from "../../agents/hook-setup.ts";
import type { HookEntry } from "../command/hook-command.ts";
import { mentionsHookbell } from "../command/owner.ts";
import type { FoundHook, OwnerOfHook } from "./find-hooks.ts";
import { contentProblem, type InstallProblem } from "../problem.ts";
import { inspectFile, othersOf, type InspectedFile } from "./inspect.ts";
import { readDocument, type SettingsDocument } from "./document.ts";

/** A file as it was read; `bytes` is undefined when there is none. */
interface ReadFile {
  path: string;
  bytes: Uint8Array | undefined;
}

export interface HooksSource extends ReadFile {
  kind: "hooks";
  file: HooksFile;
  layout: EntryForm["layout"];
}

export interface OwnFileSource extends ReadFile {
  kind: "own";
  file: OwnFile;
}

/** A TOML file with a `[[hooks]]` table for each hook. */
export interface TablesSource extends ReadFile {
  kind: "tables";
  file: HooksFile;
}

export type SettingsSource = HooksSource | OwnFileSource | TablesSource;

/** Undefined stands for no file. */
export interface FileChange {
  source: SettingsSource;
  before: string | undefined;
  after: string | undefined;
}

/** Both only where the agent reads each file for itself. */
export interface AgentPlan {
  changes: FileChange[];
  problems: InstallProblem[];
  warnings: string[];
  /** By the agent's names, once the plan is carried out. */
  events: string[];
  missing: string[];
}

export const emptyPlan: AgentPlan = { changes: [], problems: [], warnings: [], events: [], missing: [] };

/** Either all changes or none; with `isPartial`, those of files without problems. */
export function allowedChanges(
  changes: readonly FileChange[],
  problems: readonly InstallProblem[],
  isPartial: boolean,
): FileChange[] {
  return changes.filter(({ source }) => problems.every(({ path }) => isPartial && path !== source.path));
}

export function joinPlans(plans: readonly AgentPlan[]): AgentPlan {
  return {
    changes: plans.flatMap(({ changes }) => changes),
    problems: plans.flatMap(({ problems }) => problems),
    warnings: plans.flatMap(({ warnings }) => warnings),
    events: [...new Set(plans.flatMap(({ events }) => events))],
    missing: [...new Set(plans.flatMap(({ missing }) => missing))],
  };
}

/** A file that does not mention hookbell needs no change, even when it cannot be read. */
export function planOfUnreadable({ bytes }: Pick<SettingsSource, "bytes">, problems: InstallProblem[]): AgentPlan {
  return mentionsHookbell(Buffer.from(bytes ?? []).toString("latin1")) ? { ...emptyPlan, problems } : emptyPlan;
}

/** The person's own commands stay and go on calling hookbell. */
export function planOfMixed(path: string, hooks: readonly Pick<FoundHook, "owner" | "event">[]): AgentPlan {
  const events = hooks.flatMap(({ owner, event }) => (owner === "mixed" ? [event] : []));
  const warning = `${path}: a command of your own calls hookbell; it stays, so remove that call yourself`;
  return { ...emptyPlan, events, warnings: events.length === 0 ? [] : [warning] };
}

/** The person's own commands that call hookbell for events of this hookSetup. */
export function doubleCalls(
  path: string,
  hooks: readonly Pick<FoundHook, "owner" | "event">[],
  { events }: Pick<HookSetup, "events">,
): string[] {
  const byHand = hooks.filter(({ owner, event }) => owner === "mixed" && Object.hasOwn(events, event));
  return [...new Set(byHand.map(({ event }) => event))].map(
    (event) =>
      `${path}: a command of your own for ${event} also calls hookbell; it stays, so you may be notified twice`,
  );
}

/** A file that does not exist reads as an empty one. */
export function inspectSource(
  source: HooksSource,
  ownerOf: OwnerOfHook,
): { inspected: InspectedFile } | { problems: InstallProblem[] } {
  const reading = readDocument(source.path, source.bytes ?? new Uint8Array(), source.file);
  if ("problems" in reading) return reading;
  const inspected = inspectFile(source.file, source.layout, reading.document, ownerOf);
  const own = inspected.hooks.filter(({ owner }) => owner === "own");
  if (own.length * reading.document.text.length <= maxEditLength) return { inspected };
  const message = `the file is too large for its ${own.length} hooks of hookbell, of which each edit reads all of it`;
  const hint = "remove those that repeat each other, then run this again";
  return { problems: [contentProblem(reading.document, own[0]?.handler.offset, message, hint)] };
}

/** Hooks are removed one at a time, and each removal goes through all that is behind it. */
const maxEditLength = 64 * 1024 * 1024;

export function withText({ file, layout, document, ownerOf }: InspectedFile, text: string): InspectedFile {
  const { path, byteOrderMark } = document;
  const reading = readDocument(path, new TextEncoder().encode(byteOrderMark + text), file);
  if ("problems" in reading)
    throw new Error(`the edit of ${path} would not be readable: ${reading.problems[0]?.message}`);
  return inspectFile(file, layout, reading.document, ownerOf);
}

/** Throws when anything but hookbell's entries and `ownMembers` changed. */
export function assertOthersKept(
  before: InspectedFile,
  after: InspectedFile,
  ownMembers: readonly string[] = [],
): void {
  if (othersOf(before, ownMembers) !== othersOf(after, ownMembers)) {
    throw new Error(`the edit of ${before.document.path} would change more than hookbell's own entries`);
  }
}

export function fullText({ text, byteOrderMark }: SettingsDocument): string {
  return byteOrderMark + text;
}

/** The text keeps its byte order mark. */
export function textOfBytes(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** What planning the hooks of an agent needs to know. */
export interface InstallRequest {
  hookSetup: HookSetup;
  /** The agent's files in the order of the hookSetup. */
  sources: readonly SettingsSource[];
  folder: string;
  platform: NodeJS.Platform;
  /** A hook that is installed already stays in any case. */
  isWanted(event: string): boolean;
  argvFor(event: string | undefined): string[];
  /** `found`: the command that is there. */
  entryFor(event: string, found?: unknown): HookEntry;
  ownerOf: OwnerOfHook;
}
