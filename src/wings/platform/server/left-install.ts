// An installation that a killed server has left behind: whether it still runs, and how it ends. This server cannot read its exit code.
import { type Clock, sleep } from "../../../system/clock.ts";
import { isSameProcess } from "../../../system/process/identity.ts";
import { endMarked, markedInGroup } from "../../../system/process/marked.ts";
import { endGroup } from "../../../system/process/run.ts";

export interface LeftInstall {
  /** The session's id, which is in the environment of all that the command has started. */
  id: string;
  /** The command, unless the server was killed before it was on record. */
  leader: { pid: number; mark: string } | undefined;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/** The id of the session is in the environment of its command, and on disk before the command starts. */
export const installMarker = "HOOKBELL_INSTALL_SESSION";
/** An installation that hangs must not keep the computer from being tried again. */
export const installLimitMs = 60 * 60 * 1000;
export const stopped = "the server was stopped";
export const tookTooLong = "the command took longer than an hour";

const lookAgainMs = 1000;
const unknownResult = "the server ended before the command did, so its result is not known";

/**
 * Whether the command goes on: itself, or what it started in its group. A build daemon that it has started leaves the group.
 * Windows names no start time, so nothing is known to run there.
 */
export function isLeftRunning({ id, leader }: LeftInstall): boolean {
  return leader !== undefined && (isSameProcess(leader) || markedInGroup(installMarker, id, leader.pid));
}

/** Resolves with what to say of it when it has ended, at its deadline, or when the signal is aborted; the last two end it. */
export async function untilLeftEnds(left: LeftInstall, clock: Clock, signal: AbortSignal): Promise<string> {
  let remainingMs = Math.min(installLimitMs, left.startedAt + installLimitMs - clock.now());
  for (; isLeftRunning(left) && !signal.aborted && remainingMs > 0; remainingMs -= lookAgainMs) {
    await sleep(clock, lookAgainMs, signal);
  }
  const isOver = !isLeftRunning(left);
  if (left.leader !== undefined && isSameProcess(left.leader)) endGroup(left.leader.pid);
  // The next installation must not run beside what is left. On Linux, the marker finds all of it.
  await endMarked(installMarker, left.id);
  if (isOver) return unknownResult;
  return signal.aborted ? stopped : tookTooLong;
}
