import { resolve } from "node:path";
import { type ExitCode, exitCodes, UserError } from "../../../model/errors.ts";
import { isEventAwaited } from "../../../rules/apply/awaited-events.ts";
import { addChannel } from "../../../rules/edit/add-channel.ts";
import { loadRules } from "../../../rules/load.ts";
import { maskSecrets } from "../../../rules/mask-secrets.ts";
import { showProblems } from "../../../rules/problems/show.ts";
import type { Rule } from "../../../rules/rules.ts";
import { parseArguments } from "../../console/arguments.ts";
import { setUpCommands } from "../../help/set-up.ts";
import { askAtTerminal, type AskMore } from "../../console/ask.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { paint } from "../../console/text.ts";
import { showDiff } from "../../init/report.ts";
import { findWiredAgents } from "../../pipeline/rule-coverage.ts";
import { defaultName, namedChannelType } from "../names.ts";
import { type OpenedRules, openRulesFile, writeRulesFile } from "../rules-file.ts";
import { complain, fromFlags, fromQuestions, missingType, type Wanted } from "./complete-draft.ts";
import type { ChannelDraft } from "./draft.ts";
import { findTwin } from "./duplicate.ts";
import { choiceFromFlags, type NotifyChoice, rulesFor } from "./event-choice.ts";
import { askType } from "./questions.ts";
import { moveSecrets, removeSecrets, type SecretFile, writeSecrets } from "./secret-files.ts";
import { withSetFlags } from "./set-flags.ts";
import { tryDraft } from "./try-draft.ts";

/** How often the edit is made anew when the file changes under our hands. */
const maxAttempts = 3;

/** `hookbell channels add TYPE`: asks for what the flags leave open, tries it, and writes the rules file. */
export async function addChannelCommand(
  args: string[],
  io: CommandIo,
  askThem: AskMore = askAtTerminal,
): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, setUpCommands["channels add"].flags, 1);
  const ask = io.isTerminal && values.yes !== true ? askThem : undefined;
  const path = values.config ?? io.places.rulesFile;
  const opened = openRulesFile(path);
  const { rules } = opened;

  const type = positionals[0] ?? (ask === undefined ? complain([missingType]) : await askType(ask));
  if (type === undefined) return cancelled(io);
  const channelType = namedChannelType(type);
  const taken = Object.keys(rules.channels);
  const { name = defaultName(type, taken) } = values;
  assertFree(name, type, taken);
  const given = withSetFlags({ channelType, name, settings: {} }, values.set ?? []);
  const { choice: notify, problems } = choiceFromFlags(values.events, values.rule, rules);

  if (ask !== undefined && problems.length > 0) complain(problems);
  const isTried = values["no-test"] !== true && values["dry-run"] !== true;
  const isNamed = values.name !== undefined;
  const chosen =
    ask === undefined
      ? fromFlags(given, notify, problems)
      : await fromQuestions(ask, io, given, { notify, rules, isNamed, isTried });
  if (chosen === undefined) return cancelled(io);
  const wanted = chosen;
  const twin = await findTwin(wanted.draft, rules, io);
  if (twin !== undefined) {
    const names = `${JSON.stringify(twin)} and ${JSON.stringify(wanted.draft.name)}`;
    io.stderr(`${paint(io, "yellow", "warning:")} ${names} have the same settings: what goes to both comes twice\n`);
  }
  if (ask === undefined && isTried && values.yes === true && !(await tryDraft(io, wanted.draft))) {
    io.stderr("hookbell: nothing was written; fix that, or add --no-test\n");
    return exitCodes.failed;
  }
  return await write(io, opened, wanted, {
    ask,
    config: values.config,
    isInline: values["inline-secrets"] === true,
    isDryRun: values["dry-run"] === true,
    isSure: values.yes === true,
  });
}

interface Writing {
  ask: AskMore | undefined;
  /** The rules file, where the person named one. */
  config: string | undefined;
  isInline: boolean;
  isDryRun: boolean;
  isSure: boolean;
}

/** Shows the change, asks, and writes it; a file that somebody changed meanwhile is read and shown anew. */
async function write(io: CommandIo, first: OpenedRules, wanted: Wanted, how: Writing): Promise<ExitCode> {
  let opened = first;
  const { path } = first.file;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const { draft, files } = how.isInline
      ? { draft: wanted.draft, files: [] }
      : moveSecrets(wanted.draft, resolve(io.cwd, path), io.places.home);
    const text = edit(opened, draft, wanted.notify, path);
    // The lines around the change may hold what is nobody else's business.
    if (opened.before === undefined) io.stdout(`${path} will be made, of the built-in rules and this:\n`);
    showDiff(io, path, maskSecrets(opened.text), maskSecrets(text));
    for (const file of files) io.stdout(`a secret, kept in ${file.path}, which only you can read\n`);
    if (how.isDryRun) {
      io.stdout("dry run: nothing was written\n");
      return exitCodes.done;
    }
    if (how.ask !== undefined && (await how.ask.confirm("Write this?", true)) !== true) return cancelled(io);
    if (how.ask === undefined && !how.isSure) {
      io.stderr("hookbell: nothing was written; add --yes to write this\n");
      return exitCodes.usage;
    }
    const backup = writeBoth(opened, text, files, io.clock.now());
    if (backup !== undefined) {
      for (const file of files) io.stdout(`${paint(io, "green", "wrote")} ${file.path}\n`);
      const old = backup.backup === undefined ? "" : `\n  the old one is ${backup.backup}`;
      io.stdout(`${paint(io, "green", "wrote")} ${path}${old}\n`);
      const where = how.config === undefined ? "" : ` --config ${quoted(how.config)}`;
      io.stdout(`try it: hookbell test ${quoted(draft.name)}${where}\n`);
      const loaded = loadRules(text);
      const missing = loaded.status === "good" ? findUnwired(loaded.rules.rules, draft.name, io) : [];
      if (missing.length > 0) io.stdout(`${missing.join(", ")} is not wired yet; now run: hookbell init\n`);
      return exitCodes.done;
    }
    io.stderr(`hookbell: ${path} was changed by somebody else meanwhile; once more, with what it says now\n`);
    opened = openRulesFile(path);
    assertFree(draft.name, draft.channelType.type, Object.keys(opened.rules.channels));
  }
  throw new UserError("rules.busy", `another program keeps changing ${path}`, {
    hint: "nothing was written; close it, then run this again",
    exitCode: exitCodes.cannotWrite,
  });
}

/** First the secrets, so that the dispatcher never reads of a file that is not there; without the rules, none of them. */
function writeBoth(opened: OpenedRules, text: string, files: readonly SecretFile[], nowMs: number) {
  writeSecrets(files);
  let written: ReturnType<typeof writeRulesFile>;
  try {
    written = writeRulesFile(opened, text, nowMs);
  } catch (error) {
    removeSecrets(files);
    throw error;
  }
  if (written === undefined) removeSecrets(files);
  return written;
}

/** The new text, which has to be as good as the old one was. */
function edit({ text, rules }: OpenedRules, draft: ChannelDraft, notify: NotifyChoice, file: string): string {
  const { name, channelType } = draft;
  const edited = addChannel(text, {
    name,
    settings: { type: channelType.type, ...draft.settings },
    joined: notify.joined,
    rules: rulesFor(name, notify.kinds, rules),
  });
  const loaded = loadRules(edited);
  if (loaded.status === "good") return edited;
  const shown = showProblems(loaded.problems, { text: edited, file, isColor: false });
  throw new UserError("rules.broken", `the rules file would be broken by this, so nothing was written\n${shown}`, {
    exitCode: exitCodes.badRules,
  });
}

function assertFree(name: string, type: string, taken: readonly string[]): void {
  if (!taken.includes(name)) return;
  throw new UserError("usage.channels", `there is a channel ${JSON.stringify(name)} already`, {
    hint: `choose another name: --name ${defaultName(type, taken)}`,
    exitCode: exitCodes.usage,
  });
}

/** As one word of a shell's. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function cancelled(io: CommandIo): ExitCode {
  io.stderr("hookbell: nothing was written; to start over, run this again\n");
  return exitCodes.failed;
}

/** Our names of events that rules with this channel wait for, and that a wired agent could send and does not. */
function findUnwired(
  rules: readonly Rule[],
  channel: string,
  io: Pick<CommandIo, "env" | "places" | "platform">,
): string[] {
  const own = rules.filter(({ notify }) => notify.includes(channel));
  const missing = findWiredAgents(io).flatMap(({ target, sends, maySend }) =>
    [...maySend].filter((name) => !sends.has(name) && isEventAwaited(own, target.id, name)),
  );
  return [...new Set(missing)];
}
