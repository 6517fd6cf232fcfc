import { dirname } from "node:path";
import { starterRulesText } from "../../rules/edit/starter-rules.ts";
import { codeOf, describeWriteError, exitCodes, UserError } from "../../model/errors.ts";
import { defaultRulesText } from "../../rules/default-rules.ts";
import { maxRulesBytes } from "../../rules/problems/document.ts";
import { loadRules } from "../../rules/load.ts";
import type { Rules } from "../../rules/rules.ts";
import { showProblems } from "../../rules/problems/show.ts";
import { backUp, makeFolder, pruneBackups, removeBackup } from "../../system/files/settings-backup.ts";
import { replaceSettingsFile } from "../../system/files/replace-settings-file.ts";
import { openSettingsFile, type SettingsFile, type Unusable } from "../../system/files/settings-file.ts";

/** A rules file to be edited: good, writable, and as it was when it was read. */
export interface OpenedRules {
  file: SettingsFile;
  /** Undefined where there is no file yet. */
  before: string | undefined;
  /** What to edit: the file's text, else the rules to start from. */
  text: string;
  rules: Rules;
}

/** Reads the rules file for an edit. Throws for a file that is broken (78) or cannot be written (73). */
export function openRulesFile(path: string): OpenedRules {
  const file = openSettingsFile(path, maxRulesBytes);
  if ("unusable" in file) throw unusable(path, file);
  if (file.notWritable !== undefined) throw unusable(path, file.notWritable);
  const before = file.bytes === undefined ? undefined : decode(path, file.bytes);
  const text = before ?? starterRulesText() ?? defaultRulesText;
  const loaded = loadRules(text);
  if (loaded.status === "good") return { file, before, text, rules: loaded.rules };
  const shown = showProblems(loaded.problems, { text, file: path, isColor: false });
  throw new UserError("rules.broken", `the rules file is broken, so it is left as it is\n${shown.trimEnd()}`, {
    exitCode: exitCodes.badRules,
  });
}

/** Writes the new text behind a backup; undefined when somebody changed the file since, and nothing was written. */
export function writeRulesFile(
  { file, before }: OpenedRules,
  text: string,
  nowMs: number,
): { backup: string | undefined } | undefined {
  try {
    makeFolder(dirname(file.realPath));
    const backup = before === undefined || file.bytes === undefined ? undefined : backUp(file.path, file.bytes, nowMs);
    if (!replaceSettingsFile(file, new TextEncoder().encode(text))) {
      if (backup !== undefined) removeBackup(backup);
      return undefined;
    }
    pruneBackups(file.path, undefined);
    return { backup };
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new UserError("rules.unwritable", `cannot write ${file.path}: ${describeWriteError(error)}`, {
      hint: "nothing was changed in it; fix that, then run this again",
      exitCode: exitCodes.cannotWrite,
    });
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UserError("rules.broken", `${path} is not a text in UTF-8`, {
      hint: 'save it with the encoding "UTF-8"',
      exitCode: exitCodes.badRules,
    });
  }
}

const whys: Record<Unusable, (detail: string) => string> = {
  notAFile: (detail) => (detail === "" ? "this is not a file" : `${detail} is not a folder`),
  danglingLink: (detail) => `it is a link to ${detail}, which is not there`,
  tooLarge: (detail) => `it is too large (${detail}; at most ${maxRulesBytes})`,
  unreadable: (detail) => `it cannot be read (${detail})`,
  readOnlyFile: () => "it is read-only",
  readOnlyFolder: (detail) => `the folder ${detail} cannot be written`,
  notOwned: (detail) => `it belongs to ${detail}, not to you`,
};

function unusable(path: string, problem: { unusable: Unusable; detail: string }): UserError {
  return new UserError("rules.unwritable", `cannot edit ${path}: ${whys[problem.unusable](problem.detail)}`, {
    hint: "fix that, then run this again",
    exitCode: exitCodes.cannotWrite,
  });
}
