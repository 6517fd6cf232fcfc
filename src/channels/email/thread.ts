import { createHash } from "node:crypto";
import type { AgentEvent } from "../../model/event.ts";

/** Header values that put a session's mails into one conversation, each with its angle brackets. */
export interface MailThread {
  messageId: string;
  rootId: string;
}

/**
 * Every mail of a session answers the same root, which is never sent itself. Mail programs thread by the references
 * and make up a message that is missing (https://www.rfc-editor.org/rfc/rfc5256#section-3, https://www.jwz.org/doc/threading.html),
 * so the conversation holds together without any memory of ours: when the first mail is lost, when two go out at once,
 * when a recipient is added later. The root is a digest, since a session's id is an agent's text.
 *
 * The message's own id is the delivery's, the same on every attempt: a receiver that gets a repeat can see that it is one.
 */
export function threadOf(
  event: Pick<AgentEvent, "agent" | "session">,
  deliveryId: string,
  fromAddress: string,
): MailThread {
  const domain = fromAddress.slice(fromAddress.lastIndexOf("@") + 1);
  const digest = createHash("sha256")
    .update(JSON.stringify([event.agent, event.session]))
    .digest("hex")
    .slice(0, 32);
  return { messageId: `<${deliveryId}@${domain}>`, rootId: `<session-${digest}@${domain}>` };
}
