// What a channel for phones asks of its vendor, and what it makes of an answer; nothing leaves the process.
import { expect } from "vitest";
import type { ChannelDefinition, RichMessage } from "../../../src/channels/channel-type.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import type { HttpRequest, HttpResponse } from "../../../src/system/network/http.ts";
import { resolveSecrets } from "../../../src/system/secrets.ts";
import { localRequest, localTools } from "./channel-request.ts";
import { readBody } from "./channel-sample.ts";

export interface Pushed {
  outcome: Outcome;
  /** Absent where the settings were refused. */
  request: HttpRequest | undefined;
  /** The request's body. */
  body: Record<string, unknown>;
}

export interface PushCase {
  message?: Partial<RichMessage>;
  event?: Partial<AgentEvent>;
  answer?: Partial<HttpResponse>;
  isList?: boolean | undefined;
  remembered?: Record<string, string>;
  isSilent?: boolean;
  /** For settings that say `{ "env": NAME }`. */
  env?: Record<string, string>;
}

export async function push(
  channel: ChannelDefinition,
  settings: Record<string, unknown>,
  { message = {}, event = {}, answer = {}, env = {}, ...more }: PushCase = {},
): Promise<Pushed> {
  const resolved = await resolveSecrets(channel.settings.parse(settings), env, "/nowhere");
  const made: HttpRequest[] = [];
  const http = (request: HttpRequest): Promise<HttpResponse> => {
    made.push(request);
    return Promise.resolve({ status: 200, headers: {}, body: "", ...answer });
  };
  const sent = localRequest(message, resolved);
  const outcome = await channel.send(
    { ...sent, ...more, event: { ...sent.event, ...event } },
    localTools({}, "/nowhere", { http }),
  );
  expect(made.length).toBeLessThanOrEqual(1);
  const body = made[0] === undefined ? {} : readBody(made[0]);
  return { outcome, request: made[0], body };
}

/** What an answer comes to: `delivered`, or the reason with how long to wait. */
export function verdict(outcome: Outcome): [string, number | undefined] {
  return outcome.status === "delivered" ? ["delivered", undefined] : [outcome.reason, outcome.retryAfterMs];
}

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
