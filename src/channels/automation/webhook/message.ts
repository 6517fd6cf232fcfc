// What a webhook is sent: Standard Webhooks or CloudEvents.
import { cut } from "../../../model/text.ts";
import type { SendRequest } from "../../channel-type.ts";
import { toProgramMessage } from "../program-message.ts";

export const webhookFormats = ["standard", "cloudevents", "cloudevents-binary"] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** hookbell's own limit, in code points. */
export const maxAttribute = 255;

export const cloudEventHeaders = ["ce-specversion", "ce-id", "ce-source", "ce-type", "ce-subject", "ce-time"] as const;

/** `SubagentStop` becomes `agent.subagent_stop`: Standard Webhooks allows only these characters in a type. */
export function webhookType(eventName: string): string {
  const name = eventName
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9_]+/g, "_")
    .replace(/^_+|(?<!_)_+$/g, "")
    .toLowerCase();
  return `agent.${name.slice(0, 100) || "event"}`;
}

type Sent = Pick<SendRequest<unknown>, "event" | "message" | "payload" | "deliveryId">;

/** The signature is added later, since it covers exactly this body. */
export function webhookBody(
  request: Sent,
  format: WebhookFormat,
  isPayloadWanted: boolean,
): { headers: Record<string, string>; body: string } {
  const { event } = request;
  const data = toProgramMessage(request, isPayloadWanted);
  if (format === "standard") {
    return {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ type: webhookType(event.name), timestamp: event.at, data }),
    };
  }
  const attributes = cloudEventAttributes(request);
  if (format === "cloudevents") {
    return {
      headers: { "content-type": "application/cloudevents+json; charset=utf-8" },
      body: JSON.stringify({ ...attributes, datacontenttype: "application/json", data }),
    };
  }
  const headers = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, encodeAttribute(value)]);
  return {
    headers: { ...(Object.fromEntries(headers) as Record<string, string>), "content-type": "application/json" },
    body: JSON.stringify(data),
  };
}

/** https://github.com/cloudevents/spec/blob/main/cloudevents/spec.md */
function cloudEventAttributes({ event, deliveryId }: Sent): Record<string, string> {
  const name = (text: string): string => encodeURIComponent(cut(text.toWellFormed(), maxAttribute));
  return {
    specversion: "1.0",
    id: deliveryId,
    source: `/hookbell/${name(event.host)}/${name(event.agent)}`,
    type: webhookType(event.name),
    ...(event.session === "" ? {} : { subject: cut(event.session.toWellFormed(), maxAttribute) }),
    time: event.at,
  };
}

/** https://github.com/cloudevents/spec/blob/main/cloudevents/bindings/http-protocol-binding.md#3132-http-header-values */
function encodeAttribute(value: string): string {
  return value.replace(/[^\u0021\u0023\u0024\u0026-\u007E]/gu, (character) =>
    [...Buffer.from(character, "utf8")].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}
