import { createHash } from "node:crypto";
import type { AgentEvent } from "../model/event.ts";

/** 32 hexadecimal digits that stand for the event's session at a vendor; for the event alone where it has none. */
export function sessionKey({ agent, session, id }: Pick<AgentEvent, "agent" | "session" | "id">): string {
  const what = session === "" ? id : `${agent}\n${session}`;
  return createHash("sha256").update(what).digest("hex").slice(0, 32);
}
