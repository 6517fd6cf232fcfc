// What Discord's published OpenAPI allows in a webhook's message, as far as hookbell uses it; anything else is refused here.
// https://github.com/discord/discord-api-spec, specs/openapi.json of 2026: IncomingWebhookRequestPartial,
// IncomingWebhookUpdateRequestPartial, RichEmbed, RichEmbedField, MessageAllowedMentionsRequest.
import * as z from "zod";

type Schema = Parameters<typeof z.fromJSONSchema>[0];

const field: Schema = {
  type: "object",
  properties: {
    name: { type: "string", maxLength: 256 },
    value: { type: "string", maxLength: 1024 },
    inline: { type: "boolean" },
  },
  required: ["name", "value"],
  additionalProperties: false,
};

const embed: Schema = {
  type: "object",
  properties: {
    title: { type: "string", maxLength: 256 },
    description: { type: "string", maxLength: 4096 },
    color: { type: "integer", minimum: 0, maximum: 0xffffff },
    fields: { type: "array", items: field, maxItems: 25 },
  },
  additionalProperties: false,
};

const allowedMentions: Schema = {
  type: "object",
  properties: { parse: { type: "array", items: { enum: ["users", "roles", "everyone"] } } },
  additionalProperties: false,
};

const both: Record<string, Schema> = {
  embeds: { type: "array", items: embed, maxItems: 10 },
  allowed_mentions: allowedMentions,
};

/** The body of Execute Webhook. */
export const executeWebhook = z.fromJSONSchema({
  type: "object",
  properties: { ...both, flags: { type: "integer" } },
  additionalProperties: false,
});

/** The body of Edit Webhook Message, whose flags are others. */
export const editWebhookMessage = z.fromJSONSchema({
  type: "object",
  properties: both,
  additionalProperties: false,
});
