import type { SendRequest } from "./define-channel.ts";
import { toProgramMessage } from "./program-message.ts";

export const webhookFormats = ["standard", "cloudevents"] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

export const contentTypes: Record<WebhookFormat, string> = {
  standard: "application/json",
  cloudevents: "application/cloudevents+json; charset=utf-8",
};

/** `SubagentStop` as `agent.subagent_stop`; only what Standard Webhooks allows in a type, whatever the agent sent. */
export function webhookType(eventName: string): string {
  const name = eventName
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9_]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toLowerCase();
  return `agent.${name.slice(0, 100) || "event"}`;
}

/** The body's JSON, made once: the characters that are signed are those that are sent. */
export function webhookBody(
  request: Pick<SendRequest<unknown>, "event" | "message" | "payload" | "deliveryId">,
  format: WebhookFormat,
  isPayloadWanted: boolean,
): string {
  const { event, deliveryId } = request;
  const data = toProgramMessage(request, isPayloadWanted);
  const type = webhookType(event.name);
  if (format === "standard") return JSON.stringify({ type, timestamp: event.at, data });
  // https://github.com/cloudevents/spec/blob/main/cloudevents/spec.md: id and source together are unique.
  return JSON.stringify({
    specversion: "1.0",
    id: deliveryId,
    source: `/hookbell/${encodeURIComponent(event.host.toWellFormed())}/${encodeURIComponent(event.agent.toWellFormed())}`,
    type,
    ...(event.session === "" ? {} : { subject: event.session.toWellFormed() }),
    time: event.at,
    datacontenttype: "application/json",
    data,
  });
}
