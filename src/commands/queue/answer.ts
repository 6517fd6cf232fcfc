// `hookbell answer`: answers a question from any shell.
import { choiceOfWords, describeEnd, give, type Given } from "../../answers/give-answer.ts";

import type { Answer, Choice } from "../../model/answer.ts";
import { formatLocalTime } from "../../model/figures/duration.ts";
import { idsMeant } from "../../sessions/names.ts";
import { printableLine } from "../../model/text.ts";
import { docsUrl, exitCodes, UserError, type ExitCode, usageError } from "../../model/errors.ts";
import { listJournal, readJournal, type JournalEntry } from "../../outbox/journal.ts";
import { layoutOf, type Layout } from "../../outbox/layout.ts";
import { userName } from "../../system/process/identity.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { requirePerson } from "../../console/require-person.ts";
import { answerCommands } from "../help/answers.ts";
import { openQuestions, questionIdOf, type Question } from "../../answers/questions.ts";

export async function answer(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, answerCommands.answer.flags, 2);
  const [id, word] = positionals;
  if (id === undefined || word === undefined) throw wrongUsage();
  if (values.message !== undefined && word !== "deny") {
    throw usageError(
      "answer",
      "--message goes with deny: the agent reads no message with an allow",
      `hookbell answer ${id} deny --message TEXT`,
    );
  }
  const layout = layoutOf(io.places.stateDir);
  const question = findQuestion(layout, io.clock.now(), id);
  const given = giveAsPerson(layout, question, chosen(question, word, values), "in a shell", io);
  if (given.what === "refused")
    throw new UserError("answer.refused", given.text.replace(/\.$/, ""), { hint: hintFor(question) });
  io.stdout(`${given.text}\n`);
  return exitCodes.done;
}

function hintFor(question: Question): string {
  const { kind, tool, isAllowable, isOdd } = question;
  if (kind !== "permission" || isAllowable || isOdd === true) return "see: hookbell pending";
  return `to allow such calls from elsewhere, list "${tool}(...)" with a pattern, or "${tool}" for all of them, in "answers.allow": ${docsUrl("reference/ANSWERS.md")}#what-can-be-allowed`;
}

/** Answers as the person at this terminal; `where` says how others read of it. Throws if an agent has started this process. */
export function giveAsPerson(
  layout: Layout,
  question: Question,
  chosen: Pick<Answer, "choice" | "message">,
  where: string,
  io: CommandIo,
): Given {
  requirePerson("answer", io);
  return give(layout, question, { ...chosen, by: `${userName(io.env)} ${where}`, at: io.clock.now() });
}

function chosen(
  question: Question,
  word: string,
  { session, message }: { session?: boolean | undefined; message?: string | undefined },
): { choice: Choice; message?: string | undefined } {
  if (question.kind !== "permission") {
    const choice = choiceOfWords(question, word);
    return choice === "deny" ? { choice } : { choice, message: word };
  }
  if (word === "deny") return { choice: "deny", message };
  if (word === "allow") return { choice: session === true ? "allowForSession" : "allow" };
  throw wrongUsage();
}

function wrongUsage(): UserError {
  return usageError(
    "answer",
    "expected the id of a question, and allow or deny, or the answer to what it asks",
    "hookbell answer ID allow, hookbell answer ID deny --message TEXT, or hookbell answer ID 2; the ids: hookbell pending",
  );
}

function findQuestion(layout: Layout, nowMs: number, id: string): Question {
  const open = openQuestions(layout, nowMs);
  const meant = new Set(idsMeant(id, open.flatMap(idsOf)));
  const found = open.filter((question) => idsOf(question).some((each) => meant.has(each)));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const ended = found.length === 0 ? howItEnded(layout, id) : undefined;
  if (ended !== undefined) {
    const hint = "hookbell log lists every answer";
    throw new UserError("answer.over", `this question is over: ${ended}`, { hint });
  }
  throw new UserError(
    "answer.unknown",
    `${found.length === 0 ? "no" : "more than one"} open question has an id like ${id}`,
    {
      hint: open.length === 0 ? "no question is waiting for an answer" : `open: ${open.map(questionIdOf).join(", ")}`,
    },
  );
}

/** A session may have several questions open. */
function idsOf(question: Question): string[] {
  return [questionIdOf(question), question.session].filter((each) => each !== "");
}

/** Days of the journal to look through for a question that is over. */
const maxDays = 2;

/** Who answered, where, after how long and when, such as "denied by Ann in phone after 41s (today 12:03)". */
function howItEnded(layout: Layout, id: string): string | undefined {
  const isIts = ({ kind, question, digest }: JournalEntry): boolean =>
    kind === "answer" &&
    typeof question === "string" &&
    typeof digest === "string" &&
    idsMeant(id, [questionIdOf({ id: question, digest })]).length > 0;
  for (const file of listJournal(layout).slice(-maxDays).toReversed()) {
    const entry = readJournal(layout, file).findLast(isIts);
    if (entry === undefined) continue;
    const at = Date.parse(entry.at);
    const answer = { choice: entry.what, by: entry.by, channel: entry.channel, at } as Answer;
    return printableLine(`${describeEnd({ askedAt: at - Number(entry.afterMs) }, answer)} (${formatLocalTime(at)})`);
  }
  return undefined;
}
