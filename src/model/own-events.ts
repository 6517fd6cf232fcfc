// Events of hookbell itself: notices to the person, and trials of a hook.
import type { AgentEvent } from "./event.ts";

/** The event name of a notice; people read `ownNotice`. */
export const noticeEventName = "HookbellNotice";
export const ownNotice = "hookbell's own notice";

/** No event from a payload can have such an id. */
export const noticeIdPrefix = "evt_notice";

export function isOwnNotice({ id }: Pick<AgentEvent, "id">): boolean {
  return id.startsWith(noticeIdPrefix);
}

/** The session of a payload that tries a hook without notifying. */
const quietSession = /^hookbell-verify-[0-9a-f]{24}$/;

export const verificationWhy = "verification";

/** With `isDelivering`, the event is delivered like any other. */
export function verificationSession(id: string, isDelivering: boolean): string {
  return `hookbell-${isDelivering ? "verify-aloud" : "verify"}-${id}`;
}

export function isVerification(session: string): boolean {
  return quietSession.test(session);
}
