// Puts a session's mails into one conversation.
import type { AgentEvent } from "../../model/event.ts";
import { sha256 } from "../../system/crypto.ts";

/** Header values, each with its angle brackets. */
export interface MailThread {
  messageId: string;
  rootId: string;
}

/**
 * Every mail of a session refers to the same root message, which is never sent: mail programs thread by references and
 * tolerate a missing message (https://www.rfc-editor.org/rfc/rfc5256#section-3). The root's id is a digest, because a
 * session's id is untrusted text. The mail's own id is the delivery's, the same on every attempt.
 */
export function threadOf(
  event: Pick<AgentEvent, "agent" | "session">,
  deliveryId: string,
  fromAddress: string,
): MailThread {
  const domain = fromAddress.slice(fromAddress.lastIndexOf("@") + 1);
  const digest = sha256(JSON.stringify([event.agent, event.session])).slice(0, 32);
  return { messageId: `<${deliveryId}@${domain}>`, rootId: `<session-${digest}@${domain}>` };
}
