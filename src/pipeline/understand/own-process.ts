// The agent's own process, as the agent names it.
import { dirname, join } from "node:path";
import { agentAmong } from "../../answers/asker.ts";
import type { AnswerSigns } from "../../agents/answer-signs.ts";
import { objectIn, textOf } from "../../model/json.ts";
import { hiddenPath, type SessionRecord } from "../../outbox/sessions.ts";
import type { Environment } from "../../system/environment.ts";
import { listNames } from "../../system/files/files.ts";
import { readStartWithoutLinks } from "../../system/files/read.ts";
import { type LookAtProcess, processLook, processSeenFor } from "../../system/process/facts.ts";
import { ancestryOf, isAlive, isStillRunning } from "../../system/process/identity.ts";
import type { PayloadOrigin, ValidReading } from "./reading.ts";
import { signsOf, transcriptOf } from "./transcript.ts";

type Known = SessionRecord["process"];
type Named = Pick<PayloadOrigin, "namedPid" | "callerPids" | "receivedAt">;

/**
 * The process that the agent names as its own, if that has started the hook: any program can name any process. An agent that
 * another one has started may have inherited the name.
 */
export function processNamed(
  nowMs: number,
  { variables }: ValidReading["agent"],
  { namedPid, callerPids, receivedAt }: Named,
  before: SessionRecord,
  look: LookAtProcess = processLook(),
): Known {
  if (namedPid === undefined || variables.ofProcess === undefined) return undefined;
  if (before.process?.pid === namedPid && before.state.kind !== "gone") return before.process;
  const caller = callerPids.find((pid) => processSeenFor(pid, nowMs - receivedAt, look) !== undefined);
  const agent = caller === undefined ? [] : agentAmong(ancestryOf(caller, look));
  return agent.find(({ pid }) => pid === namedPid);
}

/**
 * The same on Windows, where only another program could tell which process has started a hook, and when that began. So the agent's
 * word has to do, and the id alone: if that is reused before anyone looks, the session keeps its state until it has been silent
 * for too long. A process that is known stays known while it runs, since not every event names it.
 */
export function processNamedOnWindows(
  { agentId, agent, facts, payload }: Pick<ValidReading, "agentId" | "agent" | "facts" | "payload">,
  { namedPid, remoteHost }: Pick<PayloadOrigin, "namedPid" | "remoteHost">,
  before: SessionRecord,
  { env, home }: { env: Environment; home: string },
): Known {
  if (remoteHost !== undefined) return undefined;
  if (namedPid !== undefined && agent.variables.ofProcess !== undefined) return onlyAlive([namedPid]);
  const known = before.state.kind === "gone" ? undefined : before.process;
  if (known !== undefined && isStillRunning(known)) return known;
  const signs = signsOf(agentId);
  if (signs?.processIn === undefined) return undefined;
  const { session } = facts;
  const named = textOf(payload.transcript_path) ?? hiddenPath(before.transcript);
  const transcript = named ?? transcriptOf(signs, session, env, home);
  return transcript === undefined ? undefined : onlyAlive(pidsBeside(transcript, session, signs.processIn));
}

/** A process that was killed leaves its file behind. Where several are alive, no one can say which it is. */
function onlyAlive(pids: readonly number[]): Known {
  const [pid, ...others] = pids.filter(isAlive);
  return pid === undefined || others.length > 0 ? undefined : { pid, start: "" };
}

/** The agent writes less than a kilobyte. */
const maxFileBytes = 64 * 1024;

function pidsBeside(transcript: string, session: string, processIn: NonNullable<AnswerSigns["processIn"]>): number[] {
  const folder = dirname(transcript);
  try {
    return listNames(folder).flatMap((name) => {
      const read = () => objectIn(readStartWithoutLinks(join(folder, name), maxFileBytes)?.toString("utf8") ?? "");
      return processIn(name, session, read) ?? [];
    });
  } catch {
    // The folder may be one that only others may read.
    return [];
  }
}
