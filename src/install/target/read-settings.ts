// Reads the files that hold an agent's hooks.
import { makeWritableCommand } from "../../model/places/user-shell.ts";
import { basename, dirname, join } from "node:path";
import type { HooksFile } from "../../agents/hook-setup.ts";
import { exitCodes } from "../../model/errors.ts";
import { listNames } from "../../system/files/files.ts";
import { openSettingsFile, type SettingsFile, type Unusable } from "../../system/files/settings-file.ts";
import type { AgentTarget } from "./agent-target.ts";
import type { FileChange, SettingsSource } from "../settings/file-change.ts";
import { addByHand, type InstallProblem } from "../problem.ts";

/** hookbell edits no larger settings file. */
export const maxSettingsBytes = 10 * 1024 * 1024;

export interface SettingsReading {
  files: { opened: SettingsFile; source: SettingsSource }[];
  problems: InstallProblem[];
}

export function readSettings(target: AgentTarget, platform: NodeJS.Platform): SettingsReading {
  const reading: SettingsReading = { files: [], problems: [] };
  for (const { path, sourceOf } of placesOf(target, platform)) {
    const opened = openSettingsFile(path, maxSettingsBytes);
    if ("unusable" in opened) reading.problems.push(unusableProblem(path, opened));
    else reading.files.push({ opened, source: sourceOf(opened.bytes) });
  }
  return reading;
}

interface SettingsPlace {
  path: string;
  sourceOf(bytes: Uint8Array | undefined): SettingsSource;
}

function placesOf({ folder, hookSetup, placeOf }: AgentTarget, platform: NodeJS.Platform): SettingsPlace[] {
  const own = (hookSetup.ownFiles ?? []).map((file): SettingsPlace => {
    const path = join(folder, file.name(platform));
    return { path, sourceOf: (bytes) => ({ kind: "own", file, path, bytes }) };
  });
  const { layout } = hookSetup.entry;
  const hooks = hookSetup.files.flatMap((each) => {
    const root = each.place === undefined ? folder : placeOf(each.place);
    return expand(root, each).map((file): SettingsPlace => {
      const path = join(root, file.name);
      const ofTables = { kind: "tables", file, path } as const;
      const ofJson = { kind: "hooks", file, layout, path } as const;
      return { path, sourceOf: (bytes) => ({ ...(file.shape === "tables" ? ofTables : ofJson), bytes }) };
    });
  });
  return [...own, ...hooks];
}

/** A name with a `*` stands for the files that exist. */
function expand(root: string, file: HooksFile): HooksFile[] {
  const [start, end] = basename(file.name).split("*");
  if (start === undefined || end === undefined) return [file];
  const folder = dirname(file.name);
  return namesIn(join(root, folder))
    .filter((name) => name.startsWith(start) && name.endsWith(end))
    .map((name) => ({ ...file, name: `${folder}/${name}` }));
}

function namesIn(folder: string): string[] {
  try {
    return listNames(folder);
  } catch {
    return [];
  }
}

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

const byHand = `or ${addByHand}`;

const unusableMessages: Record<Unusable, (detail: string, path: string) => [message: string, hint: string]> = {
  notAFile: (detail) => [
    detail === "" ? "this is not a file" : `${detail} is not a folder`,
    "move it away, then run this again",
  ],
  danglingLink: (detail) => [
    `a link to ${detail}, which does not exist`,
    "create that file or remove the link, then run this again",
  ],
  tooLarge: (detail) => [`too large to edit (${detail}; at most ${maxSettingsBytes})`, `make it smaller, ${byHand}`],
  madeByNix: () => [
    "Nix makes this file, so it cannot be edited",
    `put the hooks into the configuration that it is made from (such as Home Manager's): see hooks/README.md`,
  ],
  readOnlyFile: (_detail, path) => [
    "the file is read-only",
    `${makeWritableCommand(path)} if it is meant to be edited, ${byHand}`,
  ],
  readOnlyFolder: (detail, path) => [
    `the folder ${detail || dirname(path)} cannot be written`,
    `give yourself the permission, ${byHand}`,
  ],
  notOwned: (detail) => [`the file belongs to ${detail}, not to you`, `run this as its owner, ${byHand}`],
  unreadable: (detail) =>
    detail === "ELOOP"
      ? ["links that point to each other (ELOOP)", "remove one of these links, then run this again"]
      : [`cannot be read (${detail})`, "give yourself the permission, then run this again"],
};
