// The commands that agents have started to run since they asked: the person has allowed them, although no line and no
// hook says so before a command ends.
import { environmentOf } from "../../system/environment.ts";
import { createStartedList, type ListStarted, type StartedProcess } from "../../system/process/started.ts";
import { processOf } from "../../outbox/current-sessions.ts";
import { atTerminalMs, type Observer, type OpenSession, pauseMs } from "./observer.ts";
import { endCalls, type TranscriptReader } from "./transcript.ts";
import { answerIn } from "./turn-in-transcript.ts";

/** Nothing but a look shows a new process, and soon after a question people are promised two seconds. */
const lookEveryMs = 500;
/** Between two questions, process ids may have been reused. */
const forgetAfterMs = 5 * 60_000;
/** What starts sooner after a question was not allowed by a person. */
const fastestAnswerMs = 300;

export function observeCommands(reader: TranscriptReader): Observer {
  const started = createSharedList();
  return {
    everyMs: (watched, nowMs) => pauseMs(lookEveryMs, watched, nowMs),
    watches: ({ signs, questions }) => (signs.commands !== undefined && questions.length > 0 ? [] : undefined),
    look(open, nowMs) {
      const commands = started(nowMs).flatMap((process) => commandOf(process, open));
      if (commands.length === 0) return undefined;
      for (const { call, startedAt } of commands) {
        for (const path of open.transcripts) {
          const followed = reader.read(open.signs, path, nowMs);
          if (followed !== undefined) endCalls(followed, call, startedAt);
        }
      }
      const told = answerIn(reader, open, nowMs);
      return told?.kind === "answered" ? { ...told, why: "the agent runs what it asked for" } : undefined;
    },
  };
}

/** The processes that are new since the last look, for all sessions of a look. */
function createSharedList(): (nowMs: number) => readonly StartedProcess[] {
  let list: ListStarted = createStartedList();
  let started: readonly StartedProcess[] = [];
  let listedAt = -Infinity;
  return (nowMs) => {
    if (nowMs === listedAt) return started;
    if (nowMs - listedAt > forgetAfterMs) list = createStartedList();
    started = list(nowMs - atTerminalMs, nowMs);
    listedAt = nowMs;
    return started;
  };
}

function commandOf(
  { pid, parentPid, startedAt, argv }: StartedProcess,
  { session, signs: { commands }, questions }: OpenSession,
): { call: string | undefined; startedAt: number }[] {
  const askedAt = questions.at(-1)?.at ?? Infinity;
  if (commands === undefined || startedAt < askedAt + fastestAnswerMs) return [];
  const { variables } = commands;
  const command = commands.of(argv, variables.length === 0 ? {} : (environmentOf(pid, variables) ?? {}));
  if (command === undefined) return [];
  const isOfSession =
    command.session === undefined ? parentPid === processOf(session)?.pid : command.session === session.session;
  return isOfSession ? [{ call: command.call, startedAt }] : [];
}
