import type { AgentEvent } from "./event.ts";

/** The event's name of what hookbell tells of itself; people read `ownNotice` instead. */
export const noticeEventName = "HookbellNotice";
export const ownNotice = "hookbell's own notice";

/** No payload's event has an id like it, whatever it claims to be. */
export const noticeIdPrefix = "evt_notice";

/** Whether hookbell tells of itself, and no agent of what it does. */
export function isOwnNotice({ id }: Pick<AgentEvent, "id">): boolean {
  return id.startsWith(noticeIdPrefix);
}
