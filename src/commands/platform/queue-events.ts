// Queues platform events like hook payloads, each once.
import { join } from "node:path";
import { exitCodes, UserError } from "../../model/errors.ts";
import { queueOnce } from "../../outbox/incoming.ts";
import { readCursor, writeCursor } from "../../platform/events/cursor.ts";
import { platformAgentId, type PlatformEvent } from "../../platform/events/event.ts";
import { takeLock } from "../../system/process/lock.ts";
import type { CommandIo } from "../console/command-io.ts";
import { openDispatcher, wake } from "../pipeline/open-dispatcher.ts";

const lockWaitMs = 10_000;
const staleLockMs = 60_000;

/** Returns the events that were not sent before. Keys in `passedOver` count as sent. */
export async function queueEvents(
  io: CommandIo,
  events: readonly PlatformEvent[],
  more: { passedOver?: readonly string[]; readinessSince?: number | undefined } = {},
): Promise<PlatformEvent[]> {
  const { layout } = await openDispatcher(io);
  const { stateDir } = io.places;
  const release = await takeLock(join(stateDir, "platform.lock"), {
    clock: io.clock,
    waitMs: lockWaitMs,
    staleMs: staleLockMs,
    signal: io.untilStopped(),
  });
  if (release === undefined) {
    throw new UserError("platform.busy", "another hookbell command is queueing the platform's events", {
      hint: "nothing is lost: run it again",
      exitCode: exitCodes.failed,
    });
  }
  let queued: PlatformEvent[];
  try {
    // Read again: another command may have sent some meanwhile.
    const cursor = readCursor(stateDir);
    queued = events.filter(
      ({ key, name, payload }) =>
        !cursor.sent.includes(key) &&
        queueOnce(layout, { agentId: platformAgentId, name, key, payload }, io.clock.now()),
    );
    const keys = [...events.map(({ key }) => key), ...(more.passedOver ?? [])];
    writeCursor(stateDir, {
      sent: [...new Set([...cursor.sent, ...keys])],
      readinessSince: more.readinessSince ?? cursor.readinessSince,
    });
  } finally {
    release();
  }
  if (queued.length > 0) wake(io);
  return queued;
}
