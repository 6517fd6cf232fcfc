// `hookbell answer`: answers a question from any shell.
import { choiceOfWords, give } from "../../answers/give-answer.ts";
import type { Question } from "../../answers/questions.ts";
import type { Choice } from "../../model/answer.ts";
import { exitCodes, UserError, type ExitCode, usageError } from "../../model/errors.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { userName } from "../../system/process/identity.ts";
import { parseArguments } from "../console/arguments.ts";
import type { CommandIo } from "../console/command-io.ts";
import { requirePerson } from "../console/require-person.ts";
import { answerCommands } from "../help/answers.ts";
import { openQuestions, shortId } from "./pending.ts";

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
  requirePerson("answer", io);
  const question = findQuestion(openQuestions(layout, io.clock.now()), id);
  const given = give(layout, question, {
    ...chosen(question, word, values),
    by: `${userName(io.env)} in a shell`,
    at: io.clock.now(),
  });
  if (!given.isTaken)
    throw new UserError("answer.refused", given.text.replace(/\.$/, ""), { hint: "see: hookbell pending" });
  io.stdout(`${given.text}\n`);
  return exitCodes.done;
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

function findQuestion(open: readonly Question[], id: string): Question {
  const found = open.filter((question) => shortId(question).startsWith(id));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  throw new UserError(
    "answer.unknown",
    `${found.length === 0 ? "no" : "more than one"} open question begins with ${id}`,
    {
      hint: open.length === 0 ? "no question is waiting for an answer" : `open: ${open.map(shortId).join(", ")}`,
      exitCode: exitCodes.failed,
    },
  );
}
