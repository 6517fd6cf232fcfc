import { basename, dirname, resolve } from "node:path";
import { removeChannel, secretFilesIn } from "../../rules/edit/remove-channel.ts";
import { exitCodes, UserError, type ExitCode } from "../../model/errors.ts";
import { printableLine } from "../../model/text.ts";
import { loadRules } from "../../rules/load.ts";
import { maskSecrets } from "../../rules/mask-secrets.ts";
import { suggest } from "../../rules/nearest.ts";
import type { Rules } from "../../rules/rules.ts";
import { removeIfThere, statIfThere } from "../../system/files/files.ts";
import { expandHome } from "../../system/paths.ts";
import { parseArguments } from "../console/arguments.ts";
import { setUpCommands } from "../help/set-up.ts";
import { askAtTerminal, type AskMore } from "../console/ask.ts";
import { secretFileName } from "./names.ts";
import { ruleNamesFor } from "./add/event-choice.ts";
import { paint } from "../console/text.ts";
import type { CommandIo } from "../console/command-io.ts";
import { openRulesFile, writeRulesFile, type OpenedRules } from "./rules-file.ts";
import { showDiff } from "../init/report.ts";

/** `hookbell channels remove NAME`: takes the channel out of the rules file, and with it the rules that `add` made for it. */
export async function removeChannelCommand(
  args: string[],
  io: CommandIo,
  askThem: AskMore = askAtTerminal,
): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, setUpCommands["channels remove"].flags, 1);
  const ask = io.isTerminal && values.yes !== true ? askThem : undefined;
  const path = values.config ?? io.places.rulesFile;
  const opened = openRulesFile(path);
  const names = Object.keys(opened.rules.channels);
  const name =
    positionals[0] ??
    (await ask?.pick(
      "Which channel shall go?",
      names.map((value) => ({ value, label: value })),
    ));
  if (name === undefined) {
    if (ask !== undefined) return cancelled(io);
    throw usage("which channel shall go?", `hookbell channels remove NAME; there are: ${names.join(", ")}`);
  }
  if (!names.includes(name)) {
    throw usage(`there is no channel ${JSON.stringify(name)}`, suggest(name, names, "channels"));
  }

  const text = removeChannel(opened.text, name, ruleNamesFor(name));
  const after = goodRules(text);
  const secrets = ownSecrets(opened, text, name, io);
  if (opened.before === undefined) io.stdout(`${path} will be made, of the built-in rules without this:\n`);
  showDiff(io, path, maskSecrets(opened.text), maskSecrets(text), values["dry-run"] === true);
  for (const rule of newlySilent(opened.rules, after, name)) {
    io.stdout(`${paint(io, "yellow", "note:")} the rule ${printableLine(JSON.stringify(rule))} then notifies nobody\n`);
  }
  for (const file of secrets) io.stdout(`its secret goes as well: ${file}\n`);
  if (values["dry-run"] === true) {
    io.stdout("dry run: nothing was written\n");
    return exitCodes.done;
  }
  if (ask !== undefined && (await ask.confirm("Write this?", true)) !== true) return cancelled(io);
  if (ask === undefined && values.yes !== true) {
    io.stderr("hookbell: nothing was written; add --yes to write this\n");
    return exitCodes.usage;
  }
  const written = writeRulesFile(opened, text, io.clock.now());
  if (written === undefined) {
    throw new UserError("rules.busy", `${path} was changed by somebody else meanwhile`, {
      hint: "nothing was written; run this again",
      exitCode: exitCodes.cannotWrite,
    });
  }
  const old = written.backup === undefined ? "" : `\n  the old one is ${written.backup}`;
  io.stdout(`${paint(io, "green", "wrote")} ${path}${old}\n`);
  // Last, so that no rules ever name a file that is not there.
  for (const file of secrets) {
    removeIfThere(file);
    io.stdout(`${paint(io, "green", "removed")} ${file}\n`);
  }
  return exitCodes.done;
}

function goodRules(text: string): Rules {
  const loaded = loadRules(text);
  if (loaded.status === "good") return loaded.rules;
  throw new Error(`the rules file would be broken by this: ${loaded.problems[0]?.message ?? ""}`);
}

/** Rules that notified the channel and nobody else, and stay. */
function newlySilent(before: Rules, after: Rules, channel: string): string[] {
  const own = ruleNamesFor(channel);
  return before.rules
    .filter(({ notify }) => notify.length > 0 && notify.every((each) => each === channel))
    .map(({ name }) => name)
    .filter((name) => !own.includes(name) || after.rules.some((rule) => rule.name === name));
}

/** The secret files that `channels add` made for it, by their place and name, and that no other channel names. */
function ownSecrets({ file, text }: OpenedRules, textAfter: string, name: string, io: CommandIo): string[] {
  const pathOf = (each: { file: string }): string => expandHome(each.file, io.places.home);
  const others = secretFilesIn(textAfter).map(pathOf);
  const own = secretFilesIn(text)
    .filter(({ channel }) => channel === name)
    .map(pathOf);
  const isOurs = (path: string): boolean =>
    dirname(path) === dirname(resolve(io.cwd, file.path)) &&
    basename(path).startsWith(secretFileName(name, "")) &&
    statIfThere(path)?.isFile === true;
  return [...new Set(own)].filter((path) => isOurs(path) && !others.includes(path));
}

function usage(message: string, hint: string): UserError {
  return new UserError("usage.channels", message, { hint, exitCode: exitCodes.usage });
}

function cancelled(io: CommandIo): ExitCode {
  io.stderr("hookbell: nothing was written\n");
  return exitCodes.failed;
}
