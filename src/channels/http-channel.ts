// Defines a channel type that makes one HTTP request per message, and reads what its answer means.
import type { Content } from "../model/privacy/content.ts";
import { delivered, failed, type Failed, type FailureReason, type Outcome } from "../model/outcome.ts";
import { withoutSecrets } from "../model/privacy/redact.ts";
import type { Resolved } from "../model/privacy/secret.ts";
import { printableLine } from "../model/text.ts";
import type { HttpFailure, HttpRequest, HttpResponse } from "../system/network/http.ts";
import { type ChannelDefinition, type ChannelTools, lifetimeMs, type SendRequest } from "./channel-type.ts";

/** Data in, request out. `httpDefaults` fills in what it leaves out. */
export interface HttpChannelDefinition<Settings>
  extends Omit<ChannelDefinition<Settings>, "send" | keyof typeof httpDefaults>, Partial<typeof httpDefaults> {
  /** A failure where these settings make no request. */
  request(request: SendRequest<Settings>, tools: Pick<ChannelTools, "clock" | "random">): HttpRequest | Failed;
  /** If absent, every 2xx is a delivery. */
  readSuccess?(response: HttpResponse, request: SendRequest<Settings>): Outcome;
  /** If it returns undefined, the status decides. */
  readFailure?(response: HttpResponse, settings: Resolved<Settings>): Failed | undefined;
}

/** A chat or a phone without an idempotency key. */
const httpDefaults = {
  expiresAfterMs: lifetimeMs.chat as number,
  // A receiver that takes longer has usually done the work all the same.
  timeoutMs: 15_000,
  content: "summary" as Content,
  summaryFrom: 4 as number | undefined,
  isRepeatHarmless: false,
};

/** Code points of a receiver's words. */
const maxQuoteLength = 200;

/** What became of a message. */
export interface Exchanged {
  outcome: Outcome;
  /** Undefined if no request was made. It may have secrets in it, so it stays within the channel type. */
  answer?: HttpResponse | HttpFailure | undefined;
}

/** What wraps such a channel type, to send in more than one step, reads what the receiver answered. */
export interface HttpChannel<Settings = unknown> extends ChannelDefinition<Settings> {
  exchange(request: SendRequest<Settings>, tools: ChannelTools): Promise<Exchanged>;
}

/** The channel type, sending by this exchange. */
export function exchangingBy<Settings>(
  channel: Omit<ChannelDefinition<Settings>, "send">,
  exchange: HttpChannel<Settings>["exchange"],
): HttpChannel {
  const own: HttpChannel<Settings> = {
    ...channel,
    exchange,
    send: async (request, tools) => (await exchange(request, tools)).outcome,
  };
  // The registry forgets the settings' type.
  return own as unknown as HttpChannel;
}

/** Details have no secrets in them, and Retry-After is obeyed. */
export function defineHttpChannel<Settings>(channel: HttpChannelDefinition<Settings>): HttpChannel {
  const { request, readSuccess, readFailure, ...own } = channel;
  const definition = { ...httpDefaults, ...own };
  const { timeoutMs, isRepeatHarmless } = definition;
  return exchangingBy<Settings>(definition, async (sendRequest, tools) => {
    const { settings } = sendRequest;
    const made = request(sendRequest, tools);
    if ("status" in made) return { outcome: withoutSecrets(made, settings) };
    return exchange(made, tools, {
      secrets: settings,
      timeoutMs,
      isRepeatHarmless,
      readSuccess: (answer) => readSuccess?.(answer, sendRequest),
      readFailure: (answer) => readFailure?.(answer, settings),
    });
  });
}

/** How to make one request, and what its answers mean. Where a reader returns undefined, the status decides. */
interface Reading {
  /** Wherever they are in it, no detail has them. */
  secrets: unknown;
  timeoutMs: number;
  isRepeatHarmless: boolean;
  readSuccess?(response: HttpResponse): Outcome | undefined;
  readFailure?(response: HttpResponse): Failed | undefined;
}

export async function exchange(
  made: HttpRequest,
  tools: Pick<ChannelTools, "clock" | "http" | "signal">,
  { secrets, timeoutMs, isRepeatHarmless, readSuccess, readFailure }: Reading,
): Promise<Exchanged> {
  const answer = await tools.http(made, { timeoutMs, signal: tools.signal, keepsConnection: isRepeatHarmless });
  if ("failure" in answer) return { answer, outcome: withoutSecrets(failed(answer.failure, answer.detail), secrets) };
  const isSuccess = answer.status >= 200 && answer.status < 300;
  const outcome = isSuccess
    ? (readSuccess?.(answer) ?? delivered({ detail: `answered ${answer.status}` }))
    : (readFailure?.(answer) ?? readStatus(answer));
  return { answer, outcome: withoutSecrets(withRetryAfter(outcome, answer, tools.clock.now()), secrets) };
}

export function reasonOfStatus(status: number): FailureReason {
  if (status === 429) return "rateLimited";
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 404 || status === 410) return "gone";
  if (status === 408 || status === 425 || status >= 500) return "serverError";
  return "rejected";
}

const checkToken = "check the token or secret in this channel's settings";
const noReceiver = "this channel's URL no longer exists; set the new one";
const meanings: Record<number, string> = {
  401: checkToken,
  403: checkToken,
  404: noReceiver,
  410: noReceiver,
  413: "the message is too large for this receiver",
};

function readStatus(response: HttpResponse): Failed {
  const { status } = response;
  const meaning =
    meanings[status] ??
    (status >= 300 && status < 400
      ? `hookbell does not follow redirects; set the URL that it leads to${placeOf(response.headers.location)}`
      : undefined);
  const said = quote(response.body);
  const detail = [`answered ${status}${said === "" ? "" : ` "${said}"`}`, meaning].filter(Boolean).join(": ");
  return failed(reasonOfStatus(status), detail);
}

/** The path is left out, because it often repeats the secret of the URL that was called. */
function placeOf(location: string | undefined): string {
  if (location === undefined || !/^https?:/i.test(location) || !URL.canParse(location)) return "";
  const { origin } = new URL(location);
  return origin.length > maxQuoteLength ? "" : `, at ${origin}`;
}

/** A web page has no words worth showing. */
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

export const maxRetryAfterMs = 24 * 60 * 60 * 1000;

/** RFC 9110 section 5.6.7; `Date.parse` alone would take `apples 5` for a date. */
const httpDate =
  /^(?:[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !httpDate.test(text)) return undefined;
  const atMs = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/**
 * Retry-After as milliseconds from now; undefined when absent or invalid. A date counts from the answer's own `Date`,
 * because this machine's clock may be wrong. https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(
  value: string | undefined,
  dateHeader: string | undefined,
  nowMs: number,
): number | undefined {
  const text = value?.trim() ?? "";
  // Some receivers send fractions.
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text) * 1000);
  const atMs = parseHttpDate(text);
  return atMs === undefined ? undefined : bounded(atMs - (parseHttpDate(dateHeader) ?? nowMs));
}

function bounded(delayMs: number): number {
  return Math.min(Math.max(0, Math.ceil(delayMs)), maxRetryAfterMs);
}
