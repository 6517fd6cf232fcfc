// What a channel for phones asks of its vendor, and what it makes of an answer; nothing leaves the process.
import { expect } from "vitest";
import type { ChannelType } from "../../src/channels/define-channel.ts";
import type { AgentEvent } from "../../src/model/event.ts";
import type { Message } from "../../src/model/message.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import type { HttpRequest, HttpResponse } from "../../src/system/http.ts";
import { resolveSecrets } from "../../src/system/secrets.ts";
import { localRequest, localTools } from "./channel-request.ts";

export interface Pushed {
  outcome: Outcome;
  /** Absent where the settings were refused. */
  request: HttpRequest | undefined;
  /** The request's body. */
  body: Record<string, unknown>;
}

export interface PushCase {
  message?: Partial<Message>;
  event?: Partial<AgentEvent>;
  answer?: Partial<HttpResponse>;
  /** For settings that say `{ "env": NAME }`. */
  env?: Record<string, string>;
}

export async function push(
  channel: ChannelType,
  settings: Record<string, unknown>,
  { message = {}, event = {}, answer = {}, env = {} }: PushCase = {},
): Promise<Pushed> {
  const resolved = await resolveSecrets(channel.settings.parse(settings), env, "/nowhere");
  const made: HttpRequest[] = [];
  const http = (request: HttpRequest): Promise<HttpResponse> => {
    made.push(request);
    return Promise.resolve({ status: 200, headers: {}, body: "", ...answer });
  };
  const sent = localRequest(message, resolved);
  const outcome = await channel.send(
    { ...sent, event: { ...sent.event, ...event } },
    localTools({}, "/nowhere", { http }),
  );
  expect(made.length).toBeLessThanOrEqual(1);
  const body = JSON.parse(made[0]?.body ?? "{}") as Record<string, unknown>;
  return { outcome, request: made[0], body };
}

/** What an answer comes to: `delivered`, or the reason with how long to wait. */
export function verdict(outcome: Outcome): [string, number | undefined] {
  return outcome.status === "delivered" ? ["delivered", undefined] : [outcome.reason, outcome.retryAfterMs];
}

/** What strangers write. None of it may be more than text. */
export const strangersTexts: readonly string[] = [
  "",
  " \n\t ",
  "<!channel> @everyone @room <users/all> @here",
  "[good](https://evil.example) ![](https://evil.example/x.png) <a href='//evil.example'>x</a><script>1</script>",
  '","priority":5,"click":"https://evil.example","x":"',
  "${HOME} {{ states('lock.door') }} {% raw %} %(x)s `id` $(id) \\u0000 \\",
  "a\u0000b\u0007c\u001B[31mred\u001B]8;;https://evil.example\u0007link\u009Bd",
  "\u202Egnp.exe\u202C \u2066hidden\u2069 \uFEFF\u200E",
  "\uD800 lone \uDC00",
  "--flag -rf /\r\nBcc: eve@example.org\r\n\r\n.",
  "Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F\u0334\u0319\u0324\u031E\u0349\u035A\u032F\u031E\u0320\u034Dalgo",
  "x".repeat(1_000_000),
  '"'.repeat(100_000),
  "<&>".repeat(50_000),
  "\u2028".repeat(50_000),
  "😀".repeat(50_000),
  "👩‍👩‍👧‍👦".repeat(20_000),
  "a\n".repeat(50_000),
];

/** Every text of a request's body, however deep. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A text that a terminal, a log or a phone shows as it is. */
export function expectPlain(text: string): void {
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/);
}
