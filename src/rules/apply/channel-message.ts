// The message that a rule makes of an event for one channel, with no more of the agent's words than the channel may have.
import type { AgentEvent } from "../../model/event.ts";
import type { Message } from "../../model/message.ts";
import { limitContent, summaryLength } from "../../model/privacy/content.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import type { Words } from "../../model/privacy/scrub-event.ts";
import type { Channel, Rule } from "../rules.ts";
import { headlineOf } from "./default-text.ts";
import { renderMessage } from "./render.ts";

export interface ChannelMessage {
  /** The event has no more of the agent's words than the channel may have. */
  event: AgentEvent;
  message: Message;
  payload: Words["payload"];
  /** The kinds of credentials that were removed. */
  scrubbed: readonly string[];
}

/** Credentials are removed before texts are cut. */
export function messageFor(
  rule: Rule,
  { content, scrub: isScrubbed, channelType }: Channel,
  words: (isScrubbed: boolean) => Words,
): ChannelMessage {
  const { event, payload, found } = words(isScrubbed);
  const limited = limitContent(event, content, channelType.isShort);
  const rest = content === "none" ? undefined : payload;
  const headline = headlineOf(event, rule.level ?? event.level);
  const maxPayloadLength = content === "summary" ? summaryLength : undefined;
  const message = renderMessage(rule, limited, { headline, payload: rest, maxPayloadLength });
  if (!isScrubbed) return { event: limited, message, payload: rest, scrubbed: [] };
  // `Bearer {payload.token}`: some are recognised only with the template's text before them.
  const title = scrub(message.title);
  const body = scrub(message.body);
  const { project, ...others } = message;
  const named = project !== undefined && title.text.startsWith(project) ? { project } : {};
  const clean = { ...others, ...named, title: title.text, body: body.text };
  const all = [...new Set([...found, ...title.found, ...body.found])];
  const shown = JSON.stringify(clean);
  const scrubbed = channelType.passesPayload ? all : all.filter((kind) => shown.includes(`[redacted: ${kind}]`));
  return { event: limited, message: clean, payload: rest, scrubbed };
}
