// `hookbell channels remove NAME`: removes a channel, and the rules and secret files that `add` created for it.
import { basename, dirname, resolve } from "node:path";
import { removeSenders } from "../../answers/senders.ts";
import { exitCodes, UserError, type ExitCode, usageError } from "../../model/errors.ts";
import { printableLine } from "../../model/text.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { removeChannel, secretFilesIn } from "../../rules/edit/remove-channel.ts";
import { suggest } from "../../rules/nearest.ts";
import type { Rules } from "../../rules/rules.ts";
import { removeIfThere, statIfThere } from "../../system/files/files.ts";
import { expandHome } from "../../system/paths.ts";
import { parseArguments } from "../../console/arguments.ts";
import { askAtTerminal, type AskMore } from "../../console/ask.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { endUnwritten, endWithoutConsent } from "../../console/confirm.ts";
import { paint } from "../../console/output/text.ts";
import { setUpCommands } from "../help/set-up.ts";
import { ruleNamesFor } from "./add/events.ts";
import { secretFileName } from "./names.ts";
import { fitToMachine, openRulesFile, requireGood, showEdit, writeRulesFile, type OpenedRules } from "./rules-file.ts";

export async function removeChannelCommand(
  args: string[],
  io: CommandIo,
  askPerson: AskMore = askAtTerminal,
): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, setUpCommands["channels remove"].flags, 1);
  const ask = io.isTerminal && values.yes !== true ? askPerson : undefined;
  const path = values.config ?? io.places.rulesFile;
  const opened = await openRulesFile(path);
  const names = Object.keys(opened.rules.channels);
  const options = names.map((value) => ({ value, label: value }));
  const name = positionals[0] ?? (await ask?.pick("Which channel should be removed?", options));
  if (name === undefined) {
    if (ask !== undefined) return endUnwritten(io);
    throw usageError("channels", "which channel?", `hookbell channels remove NAME; channels: ${names.join(", ")}`);
  }
  if (!names.includes(name)) {
    throw usageError("channels", `there is no channel ${JSON.stringify(name)}`, suggest(name, names, "channels"));
  }

  const fitted = await fitToMachine(io, opened);
  const text = removeChannel(fitted.text, name, ruleNamesFor(name));
  const { rules } = await requireGood(text, path);
  const secrets = ownSecrets(opened, text, name, io);
  const leftOut = fitted.leftOut.filter((each) => each !== name);
  showEdit(io, opened, { text, leftOut }, values["dry-run"] === true);
  for (const rule of newlySilent(opened.rules, rules, name)) {
    io.stdout(`${paint(io, "yellow", "note:")} rule ${printableLine(JSON.stringify(rule))} then notifies no channel\n`);
  }
  for (const file of secrets) io.stdout(`its secret is removed as well: ${file}\n`);
  const end = await endWithoutConsent(io, values, "Write this?", ask);
  if (end !== undefined) return end;
  const written = writeRulesFile(opened, text, io);
  if (written === undefined) {
    throw new UserError("rules.busy", `another program changed ${path} meanwhile`, {
      hint: "nothing was written; try again",
      exitCode: exitCodes.cannotWrite,
    });
  }
  const old = written.backup === undefined ? "" : `\n  backup: ${written.backup}`;
  io.stdout(`${paint(io, "green", "wrote")} ${path}${old}\n`);
  // A later channel of this name has accounts of its own.
  if (removeSenders(layoutOf(io.places.stateDir), name)) {
    io.stdout(`no account may answer through ${printableLine(name)} any more\n`);
  }
  // Remove secrets last: the rules must never name a missing file.
  for (const file of secrets) {
    removeIfThere(file);
    io.stdout(`${paint(io, "green", "removed")} ${file}\n`);
  }
  return exitCodes.done;
}

/** Rules that notified only this channel, and that stay. */
function newlySilent(before: Rules, after: Rules, channel: string): string[] {
  return before.rules
    .filter(({ notify }) => notify.length > 0 && notify.every((each) => each === channel))
    .map(({ name }) => name)
    .filter((name) => after.rules.some((rule) => rule.name === name));
}

/** Secret files that `channels add` created for this channel and that no other channel uses. */
function ownSecrets({ file, text }: OpenedRules, textAfter: string, name: string, io: CommandIo): string[] {
  const pathOf = (each: { file: string }): string => expandHome(each.file, io.places.home);
  const others = secretFilesIn(textAfter).map(pathOf);
  const own = secretFilesIn(text)
    .filter(({ channel }) => channel === name)
    .map(pathOf);
  const isMadeByAdd = (path: string): boolean =>
    dirname(path) === dirname(resolve(io.cwd, file.path)) &&
    basename(path).startsWith(secretFileName(name, "")) &&
    statIfThere(path)?.isFile === true;
  return [...new Set(own)].filter((path) => isMadeByAdd(path) && !others.includes(path));
}
