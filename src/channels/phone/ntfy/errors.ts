// What an ntfy server's errors mean: https://github.com/binwiederhier/ntfy/blob/main/server/errors.go
import { failed, type Failed, type FailureReason } from "../../../model/outcome.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { lifetimeMs } from "../../channel-type.ts";
import { meaningOf } from "../../vendor-answer.ts";
import { objectIn } from "../../../model/json.ts";

const untilTomorrow = "nothing more is sent until midnight UTC; use an account or a server of your own";

const ntfyErrors: Record<number, [FailureReason, string]> = {
  40009: ["rejected", "it does not allow this topic name; choose another topic"],
  40010: ["rejected", "this topic name is reserved; choose another topic"],
  40101: ["unauthorized", "it does not know the token; make a new one and set it"],
  40301: [
    "unauthorized",
    "the topic belongs to another user; set a token that may write to it, or choose another topic",
  ],
  42905: ["rateLimited", `the day's bandwidth is used up; ${untilTomorrow}`],
  42908: ["rateLimited", `the day's messages are used up; ${untilTomorrow}`],
  42909: ["unauthorized", "too many attempts with a wrong token came from this address; set the right one"],
};
const errorsOfTheDay: readonly unknown[] = [42905, 42908];

export function readNtfyFailure(response: HttpResponse): Failed | undefined {
  const { code } = objectIn(response.body);
  const known = meaningOf(ntfyErrors, code);
  if (known === undefined) return undefined;
  const detail = `ntfy answered ${response.status} ${String(code)}: ${known[1]}`;
  return failed(known[0], detail, errorsOfTheDay.includes(code) ? untilMidnightMs(response.headers.date) : undefined);
}

/** The server's own clock counts: its counters start again at 00:00 UTC. */
function untilMidnightMs(date: string | undefined): number {
  const atMs = Date.parse(date ?? "");
  return Number.isNaN(atMs) || atMs < 0 ? lifetimeMs.chat : lifetimeMs.day - (atMs % lifetimeMs.day);
}
