// Sends HTTP requests: the only place where they leave this machine; websockets are beside it.
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { StringDecoder } from "node:string_decoder";
import type { Environment } from "../environment.ts";
import { readDestination } from "./destination.ts";
import { describeConnectionError, describeProxyRefusal, proxyStatusOf } from "./failure-text.ts";
import { openRoute } from "./proxy-route.ts";
import {
  bodyIdleTimeoutMs,
  connectTimeoutMs,
  maxResponseBytes,
  type HttpFailure,
  type HttpResponse,
  type LineReader,
  type SendHttp,
} from "./http.ts";
import { version } from "../version.ts";

type Answer = HttpResponse | HttpFailure;

/** `env` names the proxies. */
export function createSendHttp(env: Environment): SendHttp {
  return async (request, { timeoutMs, signal, lines }) => {
    const url = readDestination(request);
    if ("failure" in url) return url;
    const exchange = startExchange(url.origin, request.maxResponseBytes ?? maxResponseBytes, lines);
    const timers = [setTimeout(exchange.expire, timeoutMs), setTimeout(exchange.giveUpConnecting, connectTimeoutMs)];
    signal?.addEventListener("abort", exchange.expire, { once: true });
    // Ends the connection, whatever state it is in.
    const end = new AbortController();
    try {
      const route = await openRoute(url, env, {
        method: request.method,
        headers: { "user-agent": `hookbell/${version}`, ...request.headers },
        signal: end.signal,
      });
      if (route === undefined) {
        return { failure: "network", detail: "HTTP_PROXY or HTTPS_PROXY does not hold the URL of an HTTP proxy" };
      }
      exchange.follow(route.request, route.isForwarded);
      if (signal?.aborted) exchange.expire();
      else route.request.end(request.body);
      return await exchange.answer;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", exchange.expire);
      end.abort();
    }
  };
}

/** The first thing that settles it counts. */
function startExchange(
  origin: string,
  maxBytes: number,
  lines: LineReader | undefined,
): {
  answer: Promise<Answer>;
  follow(request: ClientRequest, isForwarded: boolean): void;
  giveUpConnecting(): void;
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
    if (isOver || head === undefined) return;
    settle({ ...head, body: Buffer.concat(chunks).toString("utf8"), bodyEnd });
  };
  const unreached = (failure: "network" | "timeout", cause: string): void =>
    settle({ failure, detail: `could not reach ${origin}: ${cause}` });
  const fail = (error: unknown): void => {
    if (isOver) return;
    if (head !== undefined) return settleWithBody("broken");
    const proxyStatus = proxyStatusOf(error);
    if (proxyStatus !== undefined) return unreached("network", describeProxyRefusal(proxyStatus));
    const cause = describeConnectionError(error);
    if (isSent) return settle({ failure: "unknown", detail: `no answer from ${origin}: ${cause}` });
    unreached("network", cause);
  };
  const read = (response: IncomingMessage): void => {
    const status = response.statusCode ?? 0;
    head = { status, headers: joinHeaders(response.headers) };
    const reader = status >= 200 && status < 300 ? lines : undefined;
    response.setTimeout(reader?.idleTimeoutMs ?? bodyIdleTimeoutMs, () => settleWithBody("broken"));
    const onText = reader && lineSplitter(reader, maxBytes);
    response.on("data", (chunk: Buffer) => {
      if (isOver) return;
      if (onText !== undefined) {
        if (!onText(chunk)) settleWithBody("cut");
        return;
      }
      const room = maxBytes - bytes;
      chunks.push(chunk.subarray(0, room));
      bytes += chunk.length;
      if (bytes > maxBytes) settleWithBody("cut");
    });
    response.on("end", () => settleWithBody(response.complete ? "whole" : "broken"));
    response.on("error", fail);
  };
  return {
    answer,
    follow(request, isForwarded) {
      request.on("error", fail);
      // Written in the turn in which the connection stands.
      request.on("socket", (socket) => {
        socket.once("encrypted" in socket ? "secureConnect" : "connect", () => (isSent = true));
      });
      request.on("response", (response) => {
        if (isForwarded && response.statusCode === 407) return unreached("network", describeProxyRefusal(407));
        read(response);
      });
    },
    giveUpConnecting() {
      if (!isSent && !isOver) unreached("timeout", "the host did not answer");
    },
    expire() {
      if (isOver) return;
      if (head !== undefined) return settleWithBody("broken");
      if (isSent) return settle({ failure: "unknown", detail: `${origin} got the request and did not answer in time` });
      settle({ failure: "timeout", detail: `could not reach ${origin} in time` });
    },
  };
}

/** Of a chunk; false once a line is longer than `maxBytes`. */
function lineSplitter({ onLine }: LineReader, maxBytes: number): (chunk: Buffer) => boolean {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
    return rest.length <= maxBytes;
  };
}

function joinHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

function withResolvers<T>(): { promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
