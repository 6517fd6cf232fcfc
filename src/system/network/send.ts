// Sends HTTP requests: the only place where HTTP leaves this machine.
import type { Dispatcher } from "undici";
import { codeOf } from "../../model/errors.ts";
import type { Environment } from "../environment.ts";
import { readDestination } from "./destination.ts";
import { describeConnectionError, isProxyRefusal } from "./failure-text.ts";
import { openRoute } from "./proxy-route.ts";
import {
  bodyIdleTimeoutMs,
  maxResponseBytes,
  type HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type SendHttp,
} from "./http.ts";
import { version } from "../version.ts";

type Answer = HttpResponse | HttpFailure;

/** `env` names the proxies. */
export function createSendHttp(env: Environment): SendHttp {
  return async (request, { timeoutMs, signal }) => {
    const url = readDestination(request);
    if ("failure" in url) return url;
    const exchange = startExchange(url.origin, request.maxResponseBytes ?? maxResponseBytes);
    const timer = setTimeout(exchange.expire, timeoutMs);
    signal?.addEventListener("abort", exchange.expire, { once: true });
    let route: Dispatcher | undefined;
    try {
      route = await openRoute(url, env, exchange.fail);
      // The deadline may have passed while undici was loading.
      if (signal?.aborted) exchange.expire();
      if (!exchange.isOver()) route.dispatch(toDispatch(request, url), exchange.handler);
      return await exchange.answer;
    } catch (error) {
      if (codeOf(error) !== "ERR_INVALID_URL" && codeOf(error) !== "UND_ERR_INVALID_ARG") throw error;
      return { failure: "network", detail: "HTTP_PROXY or HTTPS_PROXY does not hold the URL of an HTTP proxy" };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", exchange.expire);
      void route?.destroy();
    }
  };
}

function toDispatch(request: HttpRequest, url: URL): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method,
    headers: { "user-agent": `hookbell/${version}`, ...request.headers },
    body: request.body ?? null,
    idempotent: false,
    reset: true,
    // The exchange's own deadline covers the wait for headers.
    headersTimeout: 0,
    bodyTimeout: bodyIdleTimeoutMs,
  };
}

/** What became of one request; the first thing that settles it counts. */
function startExchange(
  origin: string,
  maxBytes: number,
): {
  handler: Dispatcher.DispatchHandler;
  answer: Promise<Answer>;
  isOver(): boolean;
  /** The connection failed. */
  fail(error: unknown): void;
  /** The deadline passed. */
  expire(): void;
} {
  let isSent = false;
  let isOver = false;
  let head: Pick<HttpResponse, "status" | "headers"> | undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const { promise: answer, resolve } = withResolvers<Answer>();
  const settle = (result: Answer): void => {
    isOver = true;
    resolve(result);
  };
  const settleWithBody = (bodyEnd: "whole" | "cut" | "broken"): void => {
    if (head !== undefined) settle({ ...head, body: Buffer.concat(chunks).toString("utf8"), bodyEnd });
  };
  const fail = (error: unknown): void => {
    if (isOver) return;
    if (head !== undefined) return settleWithBody("broken");
    const cause = describeConnectionError(error);
    if (isProxyRefusal(error)) return settle({ failure: "network", detail: `could not reach ${origin}: ${cause}` });
    if (codeOf(error) === "UND_ERR_INVALID_ARG" || codeOf(error) === "UND_ERR_NOT_SUPPORTED") {
      return settle({ failure: "rejected", detail: `this request cannot be put into HTTP for ${origin}` });
    }
    if (isSent) return settle({ failure: "unknown", detail: `no answer from ${origin}: ${cause}` });
    const isLate = codeOf(error) === "UND_ERR_CONNECT_TIMEOUT";
    settle({ failure: isLate ? "timeout" : "network", detail: `could not reach ${origin}: ${cause}` });
  };
  const expire = (): void => {
    if (isOver) return;
    if (head !== undefined) return settleWithBody("broken");
    if (isSent) return settle({ failure: "unknown", detail: `${origin} got the request and did not answer in time` });
    settle({ failure: "timeout", detail: `could not reach ${origin} in time` });
  };
  const handler: Dispatcher.DispatchHandler = {
    // Called when the connection stands, in the same turn in which the first byte is written.
    onRequestStart(controller) {
      if (isOver) controller.abort(new Error("too late"));
      else isSent = true;
    },
    onResponseStart(_controller, status, headers) {
      // Informational answers (103, say) come before the real one.
      if (status >= 200) head = { status, headers: joinHeaders(headers) };
    },
    onResponseData(_controller, chunk) {
      if (isOver) return;
      const room = maxBytes - bytes;
      chunks.push(chunk.subarray(0, room));
      bytes += chunk.length;
      if (bytes > maxBytes) settleWithBody("cut");
    },
    onResponseEnd: () => settleWithBody("whole"),
    onResponseError: (_controller, error) => fail(error),
  };
  return { handler, answer, isOver: () => isOver, fail, expire };
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

function withResolvers<T>(): { promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
