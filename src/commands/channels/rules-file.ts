// Opens the rules file for an edit, shows the change, and writes it with a backup.
import { dirname } from "node:path";
import { probe } from "../../pipeline/channel/call-channel.ts";
import { codeOf, describeWriteError, exitCodes, UserError } from "../../model/errors.ts";
import { defaultRulesText } from "../../rules/default-rules.ts";
import { withoutStarterChannels } from "../../rules/edit/remove-channel.ts";
import { starterRulesText } from "../../rules/edit/starter-rules.ts";
import { type LoadedRules, loadRules } from "../../rules/load.ts";
import { maskSecrets } from "../../rules/mask-secrets.ts";
import { maxRulesBytes } from "../../rules/problems/document.ts";
import { showProblems } from "../../rules/problems/show.ts";
import type { Rules } from "../../rules/rules.ts";
import { makeFolders, replaceWithBackup } from "../../system/files/settings-backup.ts";
import { openSettingsFile, type SettingsFile, type Unusable } from "../../system/files/settings-file.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { showDiff } from "../../console/output/show-diff.ts";
import { viewDispatcher } from "../../daemon/open-dispatcher.ts";
import { noteWrittenRules } from "../../rules/edit/written-rules.ts";

/** A valid, writable rules file, as it was when read. */
export interface OpenedRules {
  file: SettingsFile;
  /** Undefined if the file does not exist yet. */
  before: string | undefined;
  /** The text to edit: the file's, or the starter rules. */
  text: string;
  rules: Rules;
}

/** Throws if the file is broken (78) or cannot be written (73). */
export async function openRulesFile(path: string): Promise<OpenedRules> {
  const file = openSettingsFile(path, maxRulesBytes);
  if ("unusable" in file) throw unusable(path, file);
  if (file.notWritable !== undefined) throw unusable(path, file.notWritable);
  const before = file.bytes === undefined ? undefined : decode(path, file.bytes);
  const text = before ?? starterRulesText() ?? defaultRulesText;
  const { rules } = await requireGood(text, path);
  return { file, before, text, rules };
}

export interface FittedText {
  text: string;
  /** The channels that the text is without. */
  leftOut: string[];
}

/** `text` is the opened one or an edit of it. A new file leaves out the channels that cannot work on this machine. */
export async function fitToMachine(io: CommandIo, opened: OpenedRules, text = opened.text): Promise<FittedText> {
  const hasScreen = io.platform !== "linux" || Boolean(io.env.DISPLAY) || Boolean(io.env.WAYLAND_DISPLAY);
  // Where there is a screen, what is broken can be repaired.
  if (opened.before !== undefined || hasScreen) return { text, leftOut: [] };
  const dispatcher = await viewDispatcher(io);
  const channels = Object.values(opened.rules.channels);
  const results = await Promise.all(channels.map((channel) => probe(dispatcher, channel)));
  const leftOut = channels.filter((_, index) => results[index]?.status === "broken").map(({ name }) => name);
  return { text: withoutStarterChannels(text, leftOut), leftOut };
}

export function describeLeftOut(names: readonly string[]): string {
  const [first = ""] = names;
  return `left out, since this machine has no screen or speakers for it: ${names.join(", ")}; to add one later: hookbell channels add ${first}`;
}

export async function requireGood(text: string, path: string): Promise<LoadedRules & { status: "good" }> {
  const loaded = await loadRules(text);
  if (loaded.status === "good") return loaded;
  const shown = showProblems(loaded.problems, { text, file: path, isColor: false }).trimEnd();
  throw new UserError("rules.broken", `the rules file is broken, so nothing was written\n${shown}`, {
    exitCode: exitCodes.badRules,
  });
}

/** Masks secrets in the lines around the change. */
export function showEdit(io: CommandIo, { file, before, text }: OpenedRules, after: FittedText, isWhole = false): void {
  if (before === undefined) io.stdout(`${file.path} will be created from the built-in rules, with this change:\n`);
  showDiff(io, file.path, maskSecrets(text), maskSecrets(after.text), isWhole);
  if (after.leftOut.length > 0) io.stdout(`${describeLeftOut(after.leftOut)}\n`);
}

/** Writes nothing and returns undefined if another program changed the file since it was opened. */
export function writeRulesFile(
  { file }: OpenedRules,
  text: string,
  { clock, places: { stateDir } }: Pick<CommandIo, "clock" | "places">,
): { backup: string | undefined } | undefined {
  try {
    makeFolders(dirname(file.realPath));
    const written = replaceWithBackup(file, text, { nowMs: clock.now(), stateDir });
    if (written !== undefined) noteWrittenRules(stateDir, text);
    return written;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new UserError("rules.unwritable", `cannot write ${file.path}: ${describeWriteError(error)}`, {
      hint: "it was not changed; fix that and try again",
      exitCode: exitCodes.cannotWrite,
    });
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UserError("rules.broken", `${path} is not UTF-8 text`, {
      hint: 'save it with the encoding "UTF-8"',
      exitCode: exitCodes.badRules,
    });
  }
}

const reasons: Record<Unusable, (detail: string) => string> = {
  notAFile: (detail) => (detail === "" ? "it is not a file" : `${detail} is not a directory`),
  danglingLink: (detail) => `it is a link to ${detail}, which does not exist`,
  tooLarge: (detail) => `it is too large (${detail}; at most ${maxRulesBytes})`,
  unreadable: (detail) => `it cannot be read (${detail})`,
  madeByNix: () => "Nix makes it: change the configuration that it is made from",
  readOnlyFile: () => "it is read-only",
  readOnlyFolder: (detail) => `the directory ${detail} is not writable`,
  notOwned: (detail) => `it belongs to ${detail}, not to you`,
};

function unusable(path: string, problem: { unusable: Unusable; detail: string }): UserError {
  return new UserError("rules.unwritable", `cannot edit ${path}: ${reasons[problem.unusable](problem.detail)}`, {
    hint: "fix that and try again",
    exitCode: exitCodes.cannotWrite,
  });
}
