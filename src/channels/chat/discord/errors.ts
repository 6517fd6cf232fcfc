// What Discord's errors mean.
import { failed, type Failed, type FailureReason } from "../../../model/outcome.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { parseRetryAfter, quote } from "../../http-channel.ts";
import { meaningOf, ourBug, withQuote } from "../../vendor-answer.ts";
import { objectIn } from "../../../model/json.ts";

const newWebhook = "make a new webhook in the channel's settings, under Integrations, and set its URL";

/** https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
const discordErrors: Record<number, [FailureReason, string]> = {
  10003: ["gone", 'the channel or thread is gone; correct "threadId", or set a new webhook\'s URL'],
  10015: ["gone", `this webhook was deleted; ${newWebhook}`],
  40005: ["rejected", ourBug],
  40333: ["rejected", "Discord's gateway blocks hookbell; please report it"],
  50006: ["rejected", ourBug],
  50013: ["unauthorized", "the webhook may not write there; allow it in the channel's settings"],
  50027: ["unauthorized", `the last part of the webhook's URL is wrong; ${newWebhook}`],
  50035: ["rejected", `Discord refuses the form of the message; ${ourBug}`],
  50083: ["rejected", "the thread is archived; open it again"],
  50109: ["rejected", ourBug],
  160005: ["rejected", "the thread is locked; unlock it or choose another"],
  220001: ["rejected", 'a forum accepts messages only in a post; set "threadId" to a post\'s id'],
  220003: ["rejected", '"threadId" is for threads and forum posts, and this webhook\'s channel is neither'],
  240000: ["rejected", "Discord's filter blocks a link in the text"],
};

/** What an error means for a bot. */
const botErrors: Record<number, [FailureReason, string]> = {
  10003: ["gone", 'there is no such channel; correct "channel"'],
  50001: ["unauthorized", 'the bot does not see this channel; add it to the server, and allow it "View Channel"'],
  50013: ["unauthorized", 'the bot may not write there; allow it "Send Messages" and "Embed Links"'],
};

/** In seconds, with a fraction. */
export function readDiscordFailure(response: HttpResponse, { token }: { token?: unknown } = {}): Failed | undefined {
  const { code, message, retry_after: retryAfter } = objectIn(response.body);
  if (response.status === 429 && typeof retryAfter === "number") {
    const detail = "answered 429: too many messages for this webhook or channel";
    return failed("rateLimited", detail, parseRetryAfter(retryAfter.toFixed(3), undefined, 0));
  }
  if (token !== undefined && response.status === 401) {
    return failed(
      "unauthorized",
      'Discord answered 401: the bot\'s token is wrong or was reset; set the new one as "token"',
    );
  }
  const known = (token === undefined ? undefined : meaningOf(botErrors, code)) ?? meaningOf(discordErrors, code);
  if (known === undefined) return undefined;
  const said = typeof message === "string" ? quote(message) : "";
  return failed(known[0], withQuote(`Discord answered ${response.status} (code ${Number(code)}): ${known[1]}`, said));
}

const goneForEdits = new Set([10_008, 30_046, 50_005, 50_083]);

export function isEarlierGone({ body }: HttpResponse): boolean {
  return goneForEdits.has(Number(objectIn(body).code));
}
