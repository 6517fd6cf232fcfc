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

/** Sessions of this name are hookbell's own: somebody tries whether a hook arrives, and nobody is to be told. */
const quietSession = /^hookbell-verify-[0-9a-f]{24}$/;

/** What the journal says about them. */
export const verificationWhy = "verification";

/** The session of a payload that tries a hook; `id` is `randomId`'s. With `isDelivering` it is told like any other. */
export function verificationSession(id: string, isDelivering: boolean): string {
  return `hookbell-${isDelivering ? "verify-aloud" : "verify"}-${id}`;
}

export function isVerification(session: string): boolean {
  return quietSession.test(session);
}
