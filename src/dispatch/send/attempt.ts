// One try to send one delivery.
import type { RichMessage, SendRequest } from "../../channels/channel-type.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { Message } from "../../model/message.ts";
import { failed, type Failed, type Outcome } from "../../model/outcome.ts";
import type { Channel } from "../../rules/rules.ts";
import type { CallFailure, ReadyChannel } from "../call-channel.ts";

export async function attempt(
  delivery: Delivery,
  { channelType }: Channel,
  ready: ReadyChannel,
  shown: Pick<SendRequest<unknown>, "remembered" | "terminal" | "question" | "click" | "isSilent">,
): Promise<Outcome> {
  const message = { ...(await readMessage(delivery.message)), link: delivery.event.link };
  const called = await ready.call({ timeoutMs: channelType.timeoutMs }, (settings, tools) => {
    const { event, payload, id, attempts } = delivery;
    return channelType.send(
      { settings, message, event, payload, deliveryId: id, attempt: attempts + 1, ...shown },
      tools,
    );
  });
  return "failure" in called ? failedCall(called) : called.value;
}

/** How far a call got that did not return is not known. */
export function failedCall({ failure, detail, hint }: CallFailure): Failed {
  if (failure !== "missingSecret") return failed("unknown", detail);
  return failed("missingSecret", [detail, hint].filter(Boolean).join("; "));
}

async function readMessage(message: Message): Promise<RichMessage> {
  if (message.isMarkdown !== true) return message;
  const { parseMarkdown } = await import("../../model/rich-text/parse-markdown.ts");
  return { ...message, blocks: parseMarkdown(message.body) };
}
