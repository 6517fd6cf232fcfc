// Puts an event that no hook reported into incoming/, once, although its source may find it again after a crash.
import { join } from "node:path";
import { writeWhole } from "../system/files/write.ts";
import { listIncoming } from "./incoming.ts";
import { type Layout, withLayout } from "./layout.ts";
import { readSession } from "./sessions.ts";
import { sha256 } from "../system/crypto.ts";

export interface SourceEvent {
  /** The id of what stands for the agent. */
  agentId: string;
  name: string;
  /** Names the event; it is the payload's session, too. */
  key: string;
  payload: Readonly<Record<string, unknown>>;
}

/** Durable when it returns. False when it waits already or has been taken in: its session has a record then. */
export function queueOnce(layout: Layout, { agentId, name, key, payload }: SourceEvent, nowMs: number): boolean {
  const digest = sha256(`${agentId}\n${key}`).slice(0, 24);
  // In this order: a payload leaves incoming/ after its session's record is written.
  if (listIncoming(layout).some((file) => file.includes(`-${digest}.`))) return false;
  if (readSession(layout, agentId, key).lastSeenAt > 0) return false;
  const time = String(Math.max(0, Math.trunc(nowMs))).padStart(13, "0");
  const file = `${time}-${digest}.${agentId}.${name}.json`;
  withLayout(layout, () => writeWhole(join(layout.incoming, file), JSON.stringify({ ...payload, session_id: key })));
  return true;
}
