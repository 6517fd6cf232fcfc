// `hookbell channels add TYPE`: asks for missing settings, sends a test, and writes the rules file.
import { typedWord } from "../../../model/places/user-shell.ts";
import { resolve } from "node:path";
import { docsUrl, type ExitCode, exitCodes, usageError } from "../../../model/errors.ts";
import { addChannel } from "../../../rules/edit/add.ts";
import { suggest } from "../../../rules/nearest.ts";
import type { Rules } from "../../../rules/rules.ts";
import { settingsOf } from "../../../rules/setting-info.ts";
import { parseArguments } from "../../../console/arguments.ts";
import { askAtTerminal, type AskMore } from "../../../console/ask.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { endUnwritten, endWithoutConsent } from "../../../console/confirm.ts";
import { requirePerson } from "../../../console/require-person.ts";
import { paint } from "../../../console/output/text.ts";
import { eventWords, setUpCommands, whenWords } from "../../help/set-up.ts";
import { viewDispatcher } from "../../../daemon/open-dispatcher.ts";
import { findAgentsWithHooks } from "../../pipeline/rule-coverage.ts";
import { defaultName, namedChannelType, nameProblem } from "../names.ts";
import { fitToMachine, openRulesFile, requireGood, showEdit, writeRulesFile } from "../rules-file.ts";
import { passedOn } from "../show-type.ts";
import { type ChannelDraft, findDuplicate, problemsOfDraft, withSetting } from "./draft.ts";
import { askEvents, askWhen, awayOf, choiceFromFlags, type NotifyChoice, rulesFor } from "./events.ts";
import { askName, askSettings, askType } from "./questions.ts";
import { moveSecrets, withSecrets } from "./secret-files.ts";
import { withSetFlags } from "./set-flags.ts";
import { offerToTry, tryDraft } from "./try.ts";
import { isEventAwaited } from "../../../rules/apply/match.ts";

interface Wanted {
  draft: ChannelDraft;
  notify: NotifyChoice;
}

type AddFlags = ReturnType<typeof parseArguments<(typeof setUpCommands)["channels add"]["flags"]>>["values"];

const noType = "TYPE: the kind of channel; hookbell channels lists them";
const noEvents = `--events: which events notify it (${eventWords.join(", ")}), or --rule NAME for a rule of yours`;

export async function addChannelCommand(
  args: string[],
  io: CommandIo,
  askPerson: AskMore = askAtTerminal,
): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, setUpCommands["channels add"].flags, 1);
  const ask = io.isTerminal && values.yes !== true ? askPerson : undefined;
  const path = values.config ?? io.places.rulesFile;
  const { rules } = await openRulesFile(path);

  const type = positionals[0] ?? (ask === undefined ? complain([noType]) : await askType(ask, io));
  if (type === undefined) return endUnwritten(io);
  const channelType = await namedChannelType(type);
  const taken = Object.keys(rules.channels);
  const { name = defaultName(type, taken) } = values;
  requireName(name, type, taken);
  const given = withSetFlags({ channelType, name, settings: {} }, values.set ?? []);
  const { choice, problems } = choiceFromFlags(values.events, values.rule, rules);
  const when = whenWords.find((word) => word === values.when);
  if (values.when !== undefined && when === undefined) {
    problems.push(`--when ${JSON.stringify(values.when)}: ${suggest(values.when, whenWords, "it takes")}`);
  }
  const isTried = values["no-test"] !== true && values["dry-run"] !== true;
  let wanted: Wanted | undefined;
  if (ask === undefined) wanted = fromFlags(given, choice && { ...choice, away: when && awayOf(when) }, problems);
  else {
    if (problems.length > 0) complain(problems);
    wanted = await fromQuestions(ask, io, given, {
      choice,
      when,
      rules,
      isNamed: values.name !== undefined,
      isTried,
    });
  }
  if (wanted === undefined) return endUnwritten(io);
  // The people who read the channel may answer then, also if only the questions above have said so.
  if (wanted.draft.settings.answers === true) requirePerson("channels", io);

  const duplicate = await findDuplicate(wanted.draft, rules, io);
  if (duplicate !== undefined) {
    const names = `${JSON.stringify(duplicate)} and ${JSON.stringify(wanted.draft.name)}`;
    io.stderr(`${paint(io, "yellow", "warning:")} ${names} have the same settings: messages to both arrive twice\n`);
  }
  if (ask === undefined && isTried && values.yes === true && !(await tryDraft(io, wanted.draft))) {
    io.stderr("hookbell: nothing was written; fix that, or add --no-test\n");
    return exitCodes.failed;
  }
  return await write(io, path, wanted, values, ask);
}

/** The flags must say everything. */
function fromFlags(draft: ChannelDraft, notify: NotifyChoice | undefined, others: readonly string[]): Wanted {
  const settings = settingsOf(draft.channelType);
  const found = problemsOfDraft(draft);
  // A misspelt setting is not reported as missing too.
  const isMisspelt = (key: string): boolean => found.some(({ hint }) => hint?.includes(JSON.stringify(key)) === true);
  const problems = found.flatMap(({ key = "", message, hint }) => {
    const setting = settings.find((each) => each.key === key);
    if (setting === undefined || Object.hasOwn(draft.settings, key)) {
      return [`${key === "" ? "" : `${key}: `}${message}${hint === undefined ? "" : `; ${hint}`}`];
    }
    if (isMisspelt(key)) return [];
    const sources = setting.isSecret ? `, --set ${key}.env=NAME or --set ${key}.file=PATH` : "";
    return [`${key}: --set ${key}=…${sources}\n  ${setting.meaning}`];
  });
  problems.push(...(notify === undefined ? [noEvents] : others));
  return notify === undefined || problems.length > 0 ? complain(problems) : { draft, notify };
}

/** Reports everything missing or wrong at once. */
function complain(problems: readonly string[]): never {
  throw usageError(
    "channels",
    "cannot add the channel; missing or wrong:",
    problems.map((problem) => `- ${problem}`).join("\n"),
  );
}

async function fromQuestions(
  ask: AskMore,
  io: CommandIo,
  given: ChannelDraft,
  known: {
    choice: NotifyChoice | undefined;
    when: (typeof whenWords)[number] | undefined;
    rules: Rules;
    isNamed: boolean;
    isTried: boolean;
  },
): Promise<Wanted | undefined> {
  const { summary, docs } = given.channelType;
  io.stdout(`${summary}\n${paint(io, "dim", `${docs}\nEsc cancels; nothing is written before you confirm.`)}\n`);
  const named = known.isNamed ? given : await askName(ask, given, Object.keys(known.rules.channels));
  const filled = named && (await askSettings(ask, io, named));
  const draft = filled && (known.isTried ? await offerToTry(ask, io, filled) : filled);
  const notify = draft && (known.choice ?? (await askEvents(ask, draft.name, known.rules)));
  if (draft === undefined || notify === undefined) return undefined;
  const isAsked = known.when === undefined && notify.kinds.length > 0 && draft.channelType.ringsPhone === true;
  const when = isAsked ? await askWhen(ask, draft.name, await canTellPresence(io)) : (known.when ?? "always");
  const tellsQuestions = notify.joined.length > 0 || notify.kinds.some((kind) => kind !== "finished");
  const answering = when && (tellsQuestions ? await askAnswers(ask, draft) : draft);
  return answering && { draft: answering, notify: { ...notify, away: awayOf(when) } };
}

/** Asks only where answers can come back with these settings, and no flag has said it. */
async function askAnswers(ask: AskMore, draft: ChannelDraft): Promise<ChannelDraft | undefined> {
  const answering = withSetting(draft, ["answers"], true);
  const canAnswer = draft.channelType.answers !== undefined && problemsOfDraft(answering).length === 0;
  if (!canAnswer || Object.hasOwn(draft.settings, "answers")) return draft;
  const wanted = await ask.confirm(`Answer agents through "${draft.name}", too: allow, deny or reply?`, false);
  return wanted === undefined ? undefined : wanted ? answering : draft;
}

async function canTellPresence(io: CommandIo): Promise<boolean> {
  const dispatcher = await viewDispatcher(io);
  const presence = await dispatcher.observePresence?.(undefined, io.env);
  return presence?.idleMs !== undefined;
}

/** Shows the change, asks, and writes it; again if another program changed the file meanwhile. */
async function write(
  io: CommandIo,
  path: string,
  { draft: wanted, notify }: Wanted,
  values: AddFlags,
  ask: AskMore | undefined,
): Promise<ExitCode> {
  const opened = await openRulesFile(path);
  requireName(wanted.name, wanted.channelType.type, Object.keys(opened.rules.channels));
  const { draft, files } =
    values["inline-secrets"] === true
      ? { draft: wanted, files: [] }
      : moveSecrets(wanted, resolve(io.cwd, path), io.places.home);
  const edited = addChannel(opened.text, {
    name: draft.name,
    settings: { type: draft.channelType.type, ...draft.settings },
    joined: notify.joined,
    rules: rulesFor(draft.name, notify, opened.rules),
    turnsAnswersOn: draft.settings.answers === true && opened.rules.answers === undefined,
  });
  const fitted = await fitToMachine(io, opened, edited);
  const { text } = fitted;
  const { rules } = await requireGood(text, path);
  showEdit(io, opened, fitted);
  for (const file of files) io.stdout(`a secret, stored in ${file.path}, which only you can read\n`);
  const end = await endWithoutConsent(io, values, "Write this?", ask);
  if (end !== undefined) return end;
  // Write secrets first: the dispatcher must never read about a missing file.
  const written = withSecrets(files, () => writeRulesFile(opened, text, io));
  if (written === undefined) {
    io.stderr(`hookbell: another program changed ${path} meanwhile; here is the change again\n`);
    return await write(io, path, { draft: wanted, notify }, values, ask);
  }
  for (const file of files) io.stdout(`${paint(io, "green", "wrote")} ${file.path}\n`);
  const old = written.backup === undefined ? "" : `\n  backup: ${written.backup}`;
  io.stdout(`${paint(io, "green", "wrote")} ${path}${old}\n`);
  const where = values.config === undefined ? "" : ` --config ${typedWord(values.config)}`;
  io.stdout(`try it: hookbell test ${typedWord(draft.name)}${where}\n`);
  if (rules.channels[draft.name]?.content === "none" && draft.settings.content === undefined) {
    io.stdout(
      `its messages contain ${passedOn.none}, nor the command of a question; "content" in the channel changes that\n`,
    );
  }
  if (draft.settings.answers === true) showAnswerSteps(io, draft, rules);
  const missing = findUnsentEvents(rules.rules, draft.name, io);
  if (missing.length > 0) io.stdout(`no hook reports ${missing.join(", ")} yet; run: hookbell init\n`);
  return exitCodes.done;
}

/** What is left to do before an answer can come through the channel. */
function showAnswerSteps(io: CommandIo, { name, channelType }: ChannelDraft, { answers }: Rules): void {
  const pair = channelType.answers?.namesSender === true ? [`hookbell channels pair ${typedWord(name)}`] : [];
  io.stdout(`to answer through it, run: ${["hookbell init", ...pair].join(", then ")}\n`);
  if (answers?.allow.length === 0) {
    io.stdout(`you can deny and reply; list what you may allow in "answers": ${docsUrl("reference/ANSWERS.md")}\n`);
  }
}

function requireName(name: string, type: string, taken: readonly string[]): void {
  const problem = nameProblem(name, type, taken);
  if (problem === undefined) return;
  throw usageError("channels", problem, `choose another name: --name ${defaultName(type, taken)}`);
}

/** Events that this channel's rules use and that no hook sends yet. */
function findUnsentEvents(rules: Rules["rules"], channel: string, io: CommandIo): string[] {
  const own = rules.filter(({ notify }) => notify.includes(channel));
  const missing = findAgentsWithHooks(io).flatMap(({ target, sends, maySend }) =>
    [...maySend].filter((name) => !sends.has(name) && isEventAwaited(own, target.id, name)),
  );
  return [...new Set(missing)];
}
