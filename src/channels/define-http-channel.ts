import { failed, delivered, type Failed, type FailureReason, type Outcome } from "../model/outcome.ts";
import type { Resolved } from "../model/secret.ts";
import type { HttpRequest, HttpResponse } from "../system/http.ts";
import { defineChannel, type ChannelTools, type ChannelType, type SendRequest } from "./define-channel.ts";

/** An HTTP channel is data in, request out; it never touches a socket. */
export interface HttpChannelType<Settings> extends Omit<ChannelType<Settings>, "send" | "timeoutMs"> {
  timeoutMs?: number;
  /** The request, or the failure when it cannot be made from these settings. */
  request(request: SendRequest<Settings>, tools: Pick<ChannelTools, "clock" | "random">): HttpRequest | Failed;
  /** What a 2xx answer means; without it, every 2xx is a delivery. */
  readSuccess?(response: HttpResponse, request: SendRequest<Settings>): Outcome;
  /** What another answer means where the vendor says more than its status; undefined leaves it to the status. */
  readFailure?(response: HttpResponse, settings: Resolved<Settings>): Failed | undefined;
}

/** A vendor that has not answered by then has usually done the work all the same. */
export const httpTimeoutMs = 15_000;

export function defineHttpChannel<Settings>(channel: HttpChannelType<Settings>): ChannelType {
  const { request, readSuccess, readFailure, timeoutMs = httpTimeoutMs, ...rest } = channel;
  return defineChannel<Settings>({
    ...rest,
    timeoutMs,
    async send(sendRequest, tools) {
      const made = request(sendRequest, tools);
      if ("status" in made) return made;
      const answer = await tools.http(made, { timeoutMs, signal: tools.signal });
      if ("failure" in answer) return failed(answer.failure, answer.detail);
      if (answer.status >= 200 && answer.status < 300) return readSuccess?.(answer, sendRequest) ?? delivered();
      return withRetryAfter(
        readFailure?.(answer, sendRequest.settings) ?? readStatus(answer),
        answer,
        tools.clock.now(),
      );
    },
  });
}

/** What an HTTP status means when the vendor's body says nothing more. */
export function reasonOfStatus(status: number): FailureReason {
  if (status === 429) return "rateLimited";
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 404 || status === 410) return "gone";
  if (status === 408 || status === 425 || status >= 500) return "serverError";
  return "rejected";
}

function readStatus(response: HttpResponse): Failed {
  return failed(reasonOfStatus(response.status), `answered ${response.status}`);
}

/** A receiver asking for more than this is treated as asking for this; the delivery may expire in the meantime. */
export const longestRetryAfterMs = 24 * 60 * 60 * 1000;

/** Retry-After as seconds or as an HTTP date (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after), in milliseconds from now. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const delayMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  if (Number.isNaN(delayMs)) return undefined;
  return Math.min(Math.max(0, Math.ceil(delayMs)), longestRetryAfterMs);
}

function withRetryAfter(failure: Failed, response: HttpResponse, nowMs: number): Failed {
  if (failure.reason !== "rateLimited" && failure.reason !== "serverError") return failure;
  const retryAfterMs = failure.retryAfterMs ?? parseRetryAfter(response.headers["retry-after"], nowMs);
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
}
