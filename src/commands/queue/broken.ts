// What `status` says about a broken rules file, and about a state folder in which nothing can be written.
import { copyCommand } from "../../model/places/user-shell.ts";
import type { CurrentRules } from "../../pipeline/current-rules.ts";
import { describeWriteError } from "../../model/errors.ts";
import { printableLine } from "../../model/text.ts";
import { foldersOf, type Layout } from "../../outbox/layout.ts";
import { statIfThere } from "../../system/files/files.ts";
import { findWriteFault, payloadBytes, type Remedy, remedyFor } from "../../system/files/unwritable.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { count, paint } from "../../console/output/text.ts";
import { insteadOfBroken } from "../pipeline/load-rules.ts";

interface BrokenRules {
  file: string;
  problems: number;
  applies: string;
  /** A command that puts the last good rules back. */
  restore?: string;
}

export function describeBroken({ problems, origin }: CurrentRules, lastGood: string, file: string): BrokenRules {
  const restore = origin === "lastGood" ? { restore: copyCommand(lastGood, file) } : {};
  return { file, problems: problems.length, applies: insteadOfBroken[origin], ...restore };
}

export function showBroken({ file, problems, applies, restore }: BrokenRules, io: CommandIo): string {
  const how = restore === undefined ? "" : `; to restore them: ${restore}`;
  return `rules: ${paint(io, "red", "broken")}: ${file} (${count(problems, "problem")}: hookbell check); ${applies}${how}`;
}

export interface BrokenState extends Remedy {
  path: string;
  why: string;
  /** Hooks cannot keep payloads. */
  isLosing: boolean;
}

/** Only looks; a folder that is not there yet is fine. */
export function findBrokenState(layout: Layout): BrokenState | undefined {
  for (const path of [layout.incoming, ...foldersOf(layout)]) {
    const error = findWriteFault(path, payloadBytes);
    if (error === undefined) continue;
    const isLosing = path === layout.incoming || statIfThere(layout.incoming) === undefined;
    return { path, why: describeWriteError(error), isLosing, ...remedyFor(error, path) };
  }
  return undefined;
}

export function showBrokenState({ path, why, isLosing, fix, command }: BrokenState, io: CommandIo): string[] {
  const effect = isLosing ? "events are being lost" : "no dispatcher can run, so nothing is sent";
  const what = `${printableLine(path)}: ${why}; ${effect}`;
  return [
    `state: ${paint(io, "red", "broken")}: ${what}`,
    ...(fix === undefined ? [] : [`  ${printableLine(fix)}`]),
    `  $ ${command}`,
  ];
}
