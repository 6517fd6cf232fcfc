// Discord: a webhook.
import * as z from "zod";
import { delivered, failed } from "../../../model/outcome.ts";
import type { SecretSource } from "../../../model/privacy/secret.ts";
import type { SendRequest } from "../../channel-type.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import * as discordMessage from "./message.ts";
import { isEarlierGone, readDiscordFailure } from "./errors.ts";
import { replacingEarlier, silentEdit, updateSetting, type Update } from "../../session-message.ts";
import { unexpectedAnswer, readJsonObject } from "../../vendor-answer.ts";
import { jsonPost, probeRequest, serverUrl, withQuery } from "../../vendor-request.ts";
import { allowHttpSetting, urlSetting } from "../../settings.ts";

const docs = "https://discord.com/developers/docs/resources/webhook";
const embedDocs = "https://discord.com/developers/docs/resources/message#embed-object-embed-limits";

const settings = z.strictObject({
  url: urlSetting("The webhook's URL, https://discord.com/api/webhooks/...", discordUrlProblem),
  threadId: z
    .string()
    .regex(/^\d{15,20}$/, { error: "expected a thread's id: 15 to 20 digits, as text" })
    .optional()
    .describe("The id of a thread or forum post to write into"),
  update: updateSetting("new", silentEdit),
  allowHttp: allowHttpSetting(),
});

interface Settings {
  url: SecretSource;
  threadId?: string | undefined;
  update?: Update | undefined;
  allowHttp?: boolean | undefined;
}

function earlierIn(
  { update, threadId }: Pick<Settings, "update" | "threadId">,
  remembered: Readonly<Record<string, string>> | undefined,
): string | undefined {
  return update === "replace" && (remembered?.thread ?? "") === (threadId ?? "") ? remembered?.message : undefined;
}

/** Without `wait=true`, a message that Discord drops is no error. */
export const discord = replacingEarlier(
  defineHttpChannel<Settings>({
    docs,
    settings,
    limits: [
      { what: "title", most: discordMessage.maxTitle, unit: "utf16", source: embedDocs },
      { what: "body", most: discordMessage.maxDescription, unit: "utf16", source: embedDocs },
      { what: "fields of an embed", most: discordMessage.maxFields, unit: "items", source: embedDocs },
      { what: "a field's name", most: discordMessage.maxFieldName, unit: "utf16", source: embedDocs },
      { what: "a field's value", most: discordMessage.maxFieldValue, unit: "utf16", source: embedDocs },
      { what: "all text", most: discordMessage.maxTotal, unit: "utf16", source: embedDocs },
      { what: "fields", most: discordMessage.maxFieldCount, unit: "items", source: "ours" },
      { what: "a shown field's name", most: discordMessage.maxFieldNameLength, unit: "utf16", source: "ours" },
      { what: "a shown field's value", most: discordMessage.maxFieldValueLength, unit: "utf16", source: "ours" },
    ],
    // Observed: 5 in 2 s for a webhook, about 30 a minute for a channel (discord-api-docs#1454, #4043). Five at once and
    // one every 2.4 seconds never exceed that.
    rate: { messages: 5, perMs: 12_000 },
    request({ settings, message, event, remembered }) {
      const url = settings.url.reveal();
      const problem = discordUrlProblem(url);
      if (problem !== undefined) return failed("rejected", `the URL ${problem}`);
      const earlier = earlierIn(settings, remembered);
      const parameters = { wait: earlier === undefined ? "true" : undefined, thread_id: settings.threadId };
      const to = earlier === undefined ? url : serverUrl(url, `/messages/${encodeURIComponent(earlier)}`);
      const body = discordMessage.toDiscordMessage(message, event.name, earlier !== undefined);
      return {
        ...jsonPost(withQuery(to, parameters), settings.allowHttp, body),
        method: earlier === undefined ? "POST" : "PATCH",
      };
    },
    readSuccess(response, { settings }) {
      const { id } = readJsonObject(response.body);
      if (typeof id !== "string" || id === "") return unexpectedAnswer(response, "Discord");
      return delivered(
        settings.update === "replace" ? { remember: { message: id, thread: settings.threadId ?? "" } } : {},
      );
    },
    readFailure: readDiscordFailure,
    // https://discord.com/developers/docs/resources/webhook#get-webhook-with-token
    probe: (own, tools) =>
      probeRequest({ method: "GET", url: own.url.reveal(), isPlainHttpAllowed: own.allowHttp }, tools, {
        well: ({ status, body }) =>
          status === 200 && typeof readJsonObject(body).id === "string" ? "Discord knows the webhook" : undefined,
        failure: readDiscordFailure,
        fix: "check the webhook's URL",
      }),
  }),
  (answer) => (isEarlierGone(answer) ? "gone" : undefined),
  ({ settings, remembered }: SendRequest<Settings>) => earlierIn(settings, remembered) !== undefined,
);

function discordUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, pathname } = new URL(text);
  if (!/(^|\.)discord(app)?\.com$/.test(hostname)) return undefined;
  if (/\/(slack|github)\/?$/.test(pathname)) {
    return "ends in /slack or /github, where Discord expects another format; remove that end";
  }
  if (/^\/api(\/v\d+)?\/webhooks\/\d+\/[\w-]+\/?$/.test(pathname)) return undefined;
  return (
    "is not a webhook's URL, which looks like https://discord.com/api/webhooks/NUMBER/TOKEN; " +
    "copy it from the channel's settings, under Integrations"
  );
}
