// ntfy's settings, and what its server is sent: https://docs.ntfy.sh/publish/#publish-as-json
import * as z from "zod";
import type { WrittenCard } from "../../../model/answer.ts";
import type { Message } from "../../../model/message.ts";
import type { Resolved, Secret, SecretSource } from "../../../model/privacy/secret.ts";
import { measures } from "../../../model/text.ts";
import type { HttpRequest } from "../../../system/network/http.ts";
import type { RichMessage } from "../../channel-type.ts";
import { phoneScreen, writeCard } from "../../rendering/card.ts";
import { toNotification } from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";
import { updateSetting } from "../../session-message.ts";
import { allowHttpSetting, secretSetting, urlSetting } from "../../settings.ts";
import { jsonPost, serverUrl } from "../../vendor-request.ts";
import type { Level } from "../../../model/level.ts";

const publicServer = "https://ntfy.sh";

export const ntfySettings = z.strictObject({
  topic: secretSetting("The topic. It is a password: anyone who knows it can read your messages", topicProblem),
  server: urlSetting(
    `The server's URL; default: ${publicServer}. A server of your own, named here, gets a summary of the agent's words`,
  ).optional(),
  allowHttp: allowHttpSetting(),
  token: secretSetting("An access token, tk_..., for a topic that is not public").optional(),
  replyTopic: secretSetting("For answers: a second topic, to which the buttons write", topicProblem).optional(),
  replyToken: secretSetting(
    "For answers: a token that may only write to replyTopic. It is in each question, so that the phone can use it",
  ).optional(),
  update: updateSetting("new", "needs server 2.16 and Android 1.22; an iPhone shows every message"),
});
export type NtfySettings = z.output<typeof ntfySettings>;
export type ReadyNtfy = Resolved<NtfySettings>;

/** hookbell's own limit; the vendor allows 1024 bytes since v2.28. */
export const maxTitle = 250;
/** hookbell's own limit: in the server's 8192 bytes of JSON, a text of quotation marks is twice as long as the 4096 allowed. */
export const maxBody = 3500;

/** https://docs.ntfy.sh/publish/#message-priority, and short codes of https://docs.ntfy.sh/emojis/ */
const looks: Readonly<Record<Level, { priority: 1 | 2 | 3 | 4 | 5; tags: readonly string[] }>> = {
  info: { priority: 2, tags: [] },
  success: { priority: 3, tags: ["white_check_mark"] },
  attention: { priority: 4, tags: ["warning"] },
  error: { priority: 5, tags: ["rotating_light"] },
};

/** A URL that is not in the rules file is known only when sending, so it may be the public server's. */
export function mayBePublic(server: SecretSource | undefined): boolean {
  if (server?.from !== "literal") return true;
  const { hostname } = new URL(server.value.reveal());
  return /(?:^|\.)ntfy\.sh\.?$/.test(hostname);
}

export function urlOf({ server }: Pick<ReadyNtfy, "server">, path: string): string {
  return serverUrl(server?.reveal() ?? publicServer, path);
}

export function withToken(token: Secret | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` };
}

interface Extra {
  sequence_id: string;
  actions?: readonly object[];
  priority?: number;
  click?: string;
}

/** This priority makes no sound: https://docs.ntfy.sh/publish/#message-priority */
export const quietly = { priority: looks.info.priority };

/** JSON for the server's root, which takes any Unicode; headers do not. */
export function publish(settings: ReadyNtfy, message: RichMessage, eventName: string, more: Extra): HttpRequest {
  const { title, body } = toNotification(message, eventName, { maxTitle, maxBody, measure: measures.bytes });
  return post(settings, { title, message: body, ...looks[message.level], ...more });
}

export function publishQuestion(settings: ReadyNtfy, message: Message, eventName: string, more: Extra): HttpRequest {
  const title = fitTitle(message, eventName, maxTitle, measures.bytes);
  return post(settings, { title, message: renderCard(message).text, ...looks[message.level], ...more });
}

export function renderCard(card: Message): WrittenCard {
  return writeCard(card, { most: maxBody, measure: measures.bytes, escape: (text) => text, screen: phoneScreen });
}

function post(settings: ReadyNtfy, json: object): HttpRequest {
  const addressed = { topic: settings.topic.reveal(), ...json };
  return jsonPost(urlOf(settings, "/"), settings.allowHttp, addressed, withToken(settings.token));
}

export function topicProblem(topic: string): string | undefined {
  return /^[-_A-Za-z0-9]{1,64}$/.test(topic) ? undefined : "the topic must have 1 to 64 of A-Z, a-z, 0-9, - and _";
}
