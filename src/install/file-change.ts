import type { WiringFile } from "../agents/define-wiring.ts";
import type { OwnerOfHook } from "./find-hooks.ts";
import type { InstallProblem } from "./install-problem.ts";
import { inspectFile, othersOf, type InspectedFile } from "./inspect-settings.ts";
import { readDocument, type SettingsDocument } from "./settings-document.ts";

/** A settings file as it was read; `bytes` is undefined when there is none. */
export interface SettingsSource {
  file: WiringFile;
  path: string;
  bytes: Uint8Array | undefined;
}

/** What is to become of a settings file; `undefined` is no file. */
export interface FileChange {
  source: SettingsSource;
  before: string | undefined;
  after: string | undefined;
}

/** What is planned for one agent: either changes or problems, and what else the person should know. */
export interface AgentPlan {
  changes: FileChange[];
  problems: InstallProblem[];
  warnings: string[];
}

/** A file that does not exist yet reads as an empty one. */
export function inspectSource(
  source: SettingsSource,
  ownerOf: OwnerOfHook,
): { inspected: InspectedFile } | { problems: InstallProblem[] } {
  const reading = readDocument(source.path, source.bytes ?? new Uint8Array(), source.file);
  return "problems" in reading ? reading : { inspected: inspectFile(source.file, reading.document, ownerOf) };
}

/** The same file with other text, read again. Our own output that does not read is a bug. */
export function withText(inspected: InspectedFile, text: string, ownerOf: OwnerOfHook): InspectedFile {
  const { path, byteOrderMark } = inspected.document;
  const reading = readDocument(path, new TextEncoder().encode(byteOrderMark + text), inspected.file);
  if ("problems" in reading)
    throw new Error(`the edit of ${path} would not be readable: ${reading.problems[0]?.message}`);
  return inspectFile(inspected.file, reading.document, ownerOf);
}

/** Throws when an edit touched anything that is not ours: better a bug report than a person's settings. */
export function assertOthersKept(before: InspectedFile, after: InspectedFile): void {
  if (othersOf(before) !== othersOf(after)) {
    throw new Error(`the edit of ${before.document.path} would change more than hookbell's own entries`);
  }
}

/** The whole text, byte order mark included. */
export function fullText({ text, byteOrderMark }: SettingsDocument): string {
  return byteOrderMark + text;
}
