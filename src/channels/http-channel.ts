// Defines a channel type that makes one HTTP request per message, and reads what its answer means.
import type { Content } from "../model/content.ts";
import { delivered, failed, type Failed, type FailureReason, type Outcome } from "../model/outcome.ts";
import { withoutSecrets } from "../model/privacy/redact.ts";
import type { Resolved } from "../model/privacy/secret.ts";
import { printableLine } from "../model/text.ts";
import type { HttpRequest, HttpResponse } from "../system/network/http.ts";
import {
  type ChannelDefinition,
  type ChannelTools,
  defineChannel,
  lifetimeMs,
  type SendRequest,
} from "./channel-type.ts";

/** An HTTP channel is data in, request out; it never touches a socket. What it leaves out is as in `httpDefaults`. */
export interface HttpChannelDefinition<Settings>
  extends Omit<ChannelDefinition<Settings>, "send" | keyof typeof httpDefaults>, Partial<typeof httpDefaults> {
  /** The request, or the failure when it cannot be made from these settings. */
  request(request: SendRequest<Settings>, tools: Pick<ChannelTools, "clock" | "random">): HttpRequest | Failed;
  /** What a 2xx answer means; without it, every 2xx is a delivery. */
  readSuccess?(response: HttpResponse, request: SendRequest<Settings>): Outcome;
  /** What another answer means where the vendor says more than its status; undefined leaves it to the status. */
  readFailure?(response: HttpResponse, settings: Resolved<Settings>): Failed | undefined;
}

/** What most vendors need: a chat or a phone whose messages carry no idempotency key. */
const httpDefaults = {
  expiresAfterMs: lifetimeMs.chat as number,
  // A vendor that has not answered by then has usually done the work all the same.
  timeoutMs: 15_000,
  content: "summary" as Content,
  summaryFrom: 4 as number | undefined,
  isRepeatHarmless: false,
  passesPayload: false,
};

/** How much of a receiver's own words goes into a detail, in code points. */
const maxQuoteLength = 200;

/**
 * A channel type whose `send` makes one request and reads its answer. Whatever the channel's own code says, an
 * outcome's detail is one line without any of the settings' secrets, and Retry-After is obeyed.
 */
export function defineHttpChannel<Settings>(channel: HttpChannelDefinition<Settings>): ChannelDefinition {
  const { request, readSuccess, readFailure, ...own } = channel;
  const definition = { ...httpDefaults, ...own };
  const { timeoutMs } = definition;
  return defineChannel<Settings>({
    ...definition,
    async send(sendRequest, tools) {
      const made = request(sendRequest, tools);
      if ("status" in made) return withoutSecrets(made, sendRequest.settings);
      const answer = await tools.http(made, { timeoutMs, signal: tools.signal });
      if ("failure" in answer) return withoutSecrets(failed(answer.failure, answer.detail), sendRequest.settings);
      const outcome = isSuccess(answer)
        ? (readSuccess?.(answer, sendRequest) ?? delivered({ detail: `answered ${answer.status}` }))
        : (readFailure?.(answer, sendRequest.settings) ?? readStatus(answer));
      return withoutSecrets(withRetryAfter(outcome, answer, tools.clock.now()), sendRequest.settings);
    },
  });
}

function isSuccess(response: HttpResponse): boolean {
  return response.status >= 200 && response.status < 300;
}

/** What an HTTP status means when the vendor's body says nothing more. */
export function reasonOfStatus(status: number): FailureReason {
  if (status === 429) return "rateLimited";
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 404 || status === 410) return "gone";
  if (status === 408 || status === 425 || status >= 500) return "serverError";
  return "rejected";
}

const meanings: Record<number, string> = {
  401: "check the token or secret in this channel's settings",
  403: "check the token or secret in this channel's settings",
  404: "there is nothing at this channel's URL any more; set the new one",
  410: "there is nothing at this channel's URL any more; set the new one",
  413: "the message is too large for this receiver",
};

/** The failure that a status alone stands for, with what the receiver said about it. */
function readStatus(response: HttpResponse): Failed {
  const { status } = response;
  const meaning =
    meanings[status] ??
    (status >= 300 && status < 400
      ? `redirects are not followed; set the URL that it leads to${placeOf(response.headers.location)}`
      : undefined);
  const said = quote(response.body);
  const detail = [`answered ${status}${said === "" ? "" : ` "${said}"`}`, meaning].filter(Boolean).join(": ");
  return failed(reasonOfStatus(status), detail);
}

/** Where a redirect leads, without the path: that is often the secret of the URL that was called, said back to us. */
function placeOf(location: string | undefined): string {
  if (location === undefined || !/^https?:/i.test(location) || !URL.canParse(location)) return "";
  const { origin } = new URL(location);
  return origin.length > maxQuoteLength ? "" : `, at ${origin}`;
}

/** A receiver's own words on one line; a web page has none worth showing. */
export function quote(body: string): string {
  return body.trimStart().startsWith("<") ? "" : printableLine(body.slice(0, 16 * maxQuoteLength));
}

function withRetryAfter(outcome: Outcome, response: HttpResponse, nowMs: number): Outcome {
  if (outcome.status === "delivered") return outcome;
  if (outcome.reason !== "rateLimited" && outcome.reason !== "serverError") return outcome;
  const retryAfterMs =
    outcome.retryAfterMs ?? parseRetryAfter(response.headers["retry-after"], response.headers.date, nowMs);
  return retryAfterMs === undefined ? outcome : { ...outcome, retryAfterMs };
}

/** A receiver asking for more than this is treated as asking for this; the delivery may expire in the meantime. */
export const maxRetryAfterMs = 24 * 60 * 60 * 1000;

/** The three date formats of RFC 9110 section 5.6.7; `Date.parse` alone would take `apples 5` for a date. */
const httpDate =
  /^(?:[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !httpDate.test(text)) return undefined;
  const atMs = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/**
 * Retry-After (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after) as milliseconds from now; undefined when it is
 * absent or nonsense. A date is counted from the answer's own `Date`, so that a clock that is off does no harm.
 */
export function parseRetryAfter(
  value: string | undefined,
  dateHeader: string | undefined,
  nowMs: number,
): number | undefined {
  const text = value?.trim() ?? "";
  // Some receivers send fractions, which the standard does not know.
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text) * 1000);
  const atMs = parseHttpDate(text);
  return atMs === undefined ? undefined : bounded(atMs - (parseHttpDate(dateHeader) ?? nowMs));
}

function bounded(delayMs: number): number {
  return Math.min(Math.max(0, Math.ceil(delayMs)), maxRetryAfterMs);
}
