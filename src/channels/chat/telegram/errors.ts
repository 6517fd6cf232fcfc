// What Telegram's errors mean, and groups that have moved.
import { delivered, failed, type Failed, type FailureReason } from "../../../model/outcome.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { exchangingBy, type HttpChannel, parseRetryAfter, quote } from "../../http-channel.ts";
import { ourBug, withQuote } from "../../vendor-answer.ts";
import { objectIn, objectOf } from "../../../model/json.ts";

const rights = 'make the bot a member that may write there, or correct "chat"';

/** The first match counts. */
const meanings: [RegExp, FailureReason, string][] = [
  [/upgraded to a supergroup/i, "gone", 'the group is a supergroup now and has a new id; set it as "chat"'],
  [/chat not found/i, "gone", 'the bot does not know this chat; correct "chat", and write to the bot once yourself'],
  [/message thread not found/i, "gone", 'this topic does not exist; correct "threadId"'],
  [/TOPIC_(CLOSED|DELETED)/i, "gone", 'the topic is closed or deleted; open it, or correct "threadId"'],
  [/group chat was deleted/i, "gone", 'the group was deleted; correct "chat"'],
  [/user is deactivated/i, "gone", 'that account was deleted; correct "chat"'],
  [/PEER_ID_INVALID/i, "gone", 'the bot does not know this chat; correct "chat"'],
  [/blocked by the user/i, "unauthorized", "you have blocked the bot; unblock it in Telegram"],
  [/can't initiate conversation/i, "unauthorized", "write to the bot once, so that it may write to you"],
  [/was kicked|not a member|not enough rights|no rights to send|WRITE_FORBIDDEN/i, "unauthorized", rights],
  [/can't parse entities|message is too long|text is empty/i, "rejected", ourBug],
];

/** The id of a group that became a supergroup: https://core.telegram.org/bots/api#responseparameters */
function readNewChat({ body }: Pick<HttpResponse, "body">): number | undefined {
  const { migrate_to_chat_id: newChat } = objectOf(objectIn(body).parameters);
  return typeof newChat === "number" && Number.isSafeInteger(newChat) ? newChat : undefined;
}

export function readTelegramFailure({ body, status }: HttpResponse): Failed | undefined {
  const { ok, error_code: code, description, parameters } = objectIn(body);
  if (ok !== false) return undefined;
  const { retry_after: retryAfter } = objectOf(parameters);
  const newChat = readNewChat({ body });
  const said = typeof description === "string" ? description : "";
  const failure = (reason: FailureReason, fix: string): Failed =>
    failed(reason, withQuote(`Telegram answered ${Number(code) || status}: ${fix}`, quote(said)));
  if (newChat !== undefined) {
    return failure("gone", `the group is a supergroup now; set "chat" to ${newChat}`);
  }
  if (code === 429) {
    const more = typeof retryAfter === "number" ? parseRetryAfter(retryAfter.toFixed(3), undefined, 0) : undefined;
    return failed("rateLimited", "Telegram answered 429: too many messages for this bot or chat", more);
  }
  // The token is in the path, so a wrong one is not found.
  if (code === 401 || code === 404)
    return failure("unauthorized", 'the token is wrong or revoked; set the one that @BotFather shows as "token"');
  const known = meanings.find(([pattern]) => pattern.test(said));
  if (known !== undefined) return failure(known[1], known[2]);
  if (code === 403) return failure("unauthorized", rights);
  return status < 300 ? failure("rejected", "Telegram refused the message") : undefined;
}

/** The message goes there; its detail says what to set. */
export function followingMigration(channel: HttpChannel): HttpChannel {
  return exchangingBy(channel, async (request, tools) => {
    const first = await channel.exchange(request, tools);
    const newChat = first.answer !== undefined && "body" in first.answer ? readNewChat(first.answer) : undefined;
    if (newChat === undefined) return first;
    const settings = { ...(request.settings as object), chat: newChat };
    const second = await channel.exchange({ ...request, settings, remembered: undefined }, tools);
    const fix = `the group is a supergroup now; set "chat" to ${newChat}`;
    return second.outcome.status === "delivered" ? { ...second, outcome: delivered({ detail: fix }) } : second;
  });
}
