// `hookbell pending`: lists the open questions.
import { agentName } from "../../agents/index.ts";
import { pageName } from "../../answers/browsers/open-page.ts";
import { choicesOf, whyOnlyDenied } from "../../answers/give-answer.ts";
import { cardOf, titleOf } from "../../answers/card/card.ts";
import { howToReply } from "../../answers/read-reply.ts";
import { deafListeners } from "../../answers/listener-state.ts";
import { endsAt, openQuestions, questionIdOf, type Question } from "../../answers/questions.ts";
import { answersAreOff } from "../../overview/board.ts";
import { readRules } from "../../pipeline/current-rules.ts";
import { exitCodes, type ExitCode } from "../../model/errors.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { placeOf, namesOf } from "../../sessions/names.ts";
import { lastPart } from "../../model/places/folder.ts";
import { waitingSessions } from "../../sessions/waiting.ts";
import { currentSessions } from "../../outbox/current-sessions.ts";
import { layoutOf, type Layout } from "../../outbox/layout.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { parseArguments } from "../../console/arguments.ts";
import { cardRows } from "../../console/output/card-rows.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { jsonLine, paint, reportColumns, wrapping } from "../../console/output/text.ts";
import { answerCommands } from "../help/answers.ts";

export async function pending(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, answerCommands.pending.flags, 0);
  const now = io.clock.now();
  const layout = layoutOf(io.places.stateDir);
  const open = openQuestions(layout, now);
  if (values.json) io.stdout(jsonLine(open.map(asJson)));
  else if (open.length === 0) wrapping(io).stdout(await noneOpen(layout, now, io));
  else {
    const sessions = currentSessions(layout, now);
    const shown = open.map((question) => show(question, placeOfQuestion(question, sessions, now), now, io));
    wrapping(io).stdout([...shown, ...deafListeners(layout, open)].join("\n"));
  }
  return exitCodes.done;
}

/** The question's project and session. A hook may wait before the dispatcher has read the event. */
function placeOfQuestion(question: Question, sessions: readonly SessionRecord[], nowMs: number): string {
  const own = sessions.find(({ agent, session }) => agent === question.agent && session === question.session);
  const project = own?.project ?? lastPart(question.cwd);
  return placeOf({ project, ...(own === undefined ? {} : namesOf(own, sessions, nowMs)) });
}

/** A session may ask at its terminal only, so no hook waits. */
async function noneOpen(layout: Layout, nowMs: number, { places }: CommandIo): Promise<string> {
  const { length } = waitingSessions(currentSessions(layout, nowMs), nowMs);
  if (length === 0) return "no question is waiting for an answer\n";
  const wait = length === 1 ? "1 session waits at its terminal" : `${length} sessions wait at their terminals`;
  const { rules } = await readRules(places.rulesFile, layout);
  const why = rules.answers === undefined ? `${answersAreOff}\n` : "";
  return `no question can be answered from here; ${wait}: hookbell status\n${why}`;
}

function asJson(question: Question): object {
  const { agent, kind, session, cwd, host, branch, tool, text, isWhole, digest, askedAt, shown } = question;
  return {
    id: questionIdOf(question),
    agent,
    kind,
    session,
    cwd,
    host,
    branch,
    tool,
    text,
    isWhole,
    digest,
    choices: choicesOf(question),
    askedAt: new Date(askedAt).toISOString(),
    expiresAt: new Date(endsAt(question)).toISOString(),
    channels: [...new Set(shown.map(({ channel }) => channel))],
  };
}

function show(question: Question, place: string, now: number, io: CommandIo): string {
  const { agent, kind, fields, shown } = question;
  const name = agentName(agent);
  const card = cardOf(question, name, titleOf(question, name));
  const places = [...new Set(shown.map((each) => each.channel)), ...(question.isOnPage === true ? [pageName] : [])];
  const where = places.length === 0 ? "not shown yet" : `shown in ${places.join(", ")}`;
  const why = whyOnlyDenied(question);
  const how = kind !== "permission" ? `; ${howToReply(fields)}` : why === undefined ? "" : `; ${why}`;
  return [
    `${paint(io, "bold", questionIdOf(question))}  ${place === "" ? "" : `${place}: `}${card.title}`,
    ...cardRows(card, reportColumns(io) - indent.length).map((row) => `${indent}${row}`),
    `  ${formatDuration(endsAt(question) - now)} left, ${where}${how}`,
    "",
  ].join("\n");
}

const indent = " ".repeat(4);
