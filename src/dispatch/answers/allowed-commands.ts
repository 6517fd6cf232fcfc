// Finds the commands that agents have started to run since they asked: the person has allowed them, although no line and
// no hook says so before a command ends.
import type { CommandProcesses } from "../../agents/answer-signs.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { environmentOf } from "../../system/environment.ts";
import { createStartedList, type ListStarted, type StartedProcess } from "../../system/process/started.ts";

export interface Asker {
  session: SessionRecord;
  commands: CommandProcesses | undefined;
  /** When the last of its questions came; milliseconds since the epoch. */
  askedAt: number;
}

export interface AllowedCommand {
  session: SessionRecord;
  call: string | undefined;
  startedAt: number;
}

/** What starts sooner after a question was not allowed by a person. */
const fastestAnswerMs = 300;

/** Returns each command once. Looks at processes only while an agent waits whose commands can be told. */
export function createCommandWatch(): (askers: readonly Asker[], nowMs: number) => AllowedCommand[] {
  let list: ListStarted | undefined;
  return (askers, nowMs) => {
    const watched = askers.filter(({ commands }) => commands !== undefined);
    list = watched.length === 0 ? undefined : (list ?? createStartedList());
    const sinceMs = Math.min(...watched.map(({ askedAt }) => askedAt)) + fastestAnswerMs;
    return (list?.(sinceMs, nowMs) ?? []).flatMap((process) => watched.flatMap((asker) => commandOf(process, asker)));
  };
}

function commandOf(
  { pid, parentPid, startedAt, argv }: StartedProcess,
  { session, commands, askedAt }: Asker,
): AllowedCommand[] {
  if (commands === undefined || startedAt < askedAt + fastestAnswerMs) return [];
  const { variables } = commands;
  const command = commands.of(argv, variables.length === 0 ? {} : (environmentOf(pid, variables) ?? {}));
  if (command === undefined) return [];
  const isOfSession =
    command.session === undefined ? parentPid === session.terminal?.pid : command.session === session.session;
  return isOfSession ? [{ session, call: command.call, startedAt }] : [];
}
