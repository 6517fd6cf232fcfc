import { dirname, join } from "node:path";
import { exitCodes } from "../model/errors.ts";
import { openSettingsFile, type SettingsFile, type Unusable } from "../system/settings-file.ts";
import type { AgentTarget } from "./agent-target.ts";
import type { FileChange, SettingsSource } from "./file-change.ts";
import type { InstallProblem } from "./install-problem.ts";

/** Larger settings files are left alone. */
const maxSettingsBytes = 10 * 1024 * 1024;

/** An agent's settings files as they are now. */
export interface SettingsReading {
  files: { opened: SettingsFile; source: SettingsSource }[];
  problems: InstallProblem[];
}

export function readSettings({ folder, wiring }: AgentTarget): SettingsReading {
  const reading: SettingsReading = { files: [], problems: [] };
  for (const file of wiring.files) {
    const path = join(folder, file.name);
    const opened = openSettingsFile(path, maxSettingsBytes);
    if ("unusable" in opened) reading.problems.push(unusableProblem(path, opened));
    else reading.files.push({ opened, source: { file, path, bytes: opened.bytes } });
  }
  return reading;
}

/** Files that can be read and would have to be written, but cannot. */
export function findWriteProblems(reading: SettingsReading, changes: readonly FileChange[]): InstallProblem[] {
  return reading.files.flatMap(({ opened, source }) =>
    opened.notWritable !== undefined && changes.some((change) => change.source.path === source.path)
      ? [unusableProblem(source.path, opened.notWritable)]
      : [],
  );
}

function unusableProblem(path: string, { unusable, detail }: { unusable: Unusable; detail: string }): InstallProblem {
  const [message, hint] = unusableMessages[unusable](detail, path);
  const exitCode = unusable === "tooLarge" ? exitCodes.badInput : exitCodes.cannotWrite;
  return { path, message, hint, exitCode };
}

const byHand = "or add the hooks by hand: see hooks/README.md";

const unusableMessages: Record<Unusable, (detail: string, path: string) => [message: string, hint: string]> = {
  notAFile: (detail) => [
    detail === "" ? "this is not a file" : `${detail} is not a folder`,
    "move it away, then run this again",
  ],
  danglingLink: (detail) => [
    `a link to ${detail}, which is not there`,
    "make that file or take the link away, then run this again",
  ],
  tooLarge: (detail) => [`too large to edit (${detail}; at most ${maxSettingsBytes})`, `make it smaller, ${byHand}`],
  readOnlyFile: (_detail, path) => [
    "the file is read-only",
    `chmod u+w '${path}' if it is meant to be edited, ${byHand}`,
  ],
  readOnlyFolder: (detail, path) => [
    `the folder ${detail || dirname(path)} cannot be written`,
    `give yourself the permission, ${byHand}`,
  ],
  notOwned: (detail) => [`the file belongs to ${detail}, not to you`, `run this as its owner, ${byHand}`],
  unreadable: (detail) => [`cannot be read (${detail})`, "give yourself the permission, then run this again"],
};
