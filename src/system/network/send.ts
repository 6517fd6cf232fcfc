// Sends HTTP requests: the only place where they leave this machine; websockets are beside it.
import type { IncomingHttpHeaders } from "node:http";
import { StringDecoder } from "node:string_decoder";
import type { Dispatcher } from "undici";
import type { Environment } from "../environment.ts";
import { openConnections, proxyAuthorization, TunnelError } from "./connections.ts";
import { readDestination } from "./destination.ts";
import { describeConnectionError, describeProxyRefusal } from "./failure-text.ts";
import {
  bodyIdleTimeoutMs,
  connectTimeoutMs,
  maxResponseBytes,
  type HttpFailure,
  type HttpResponse,
  type LineReader,
  type SendHttp,
} from "./http.ts";
import { proxyFor, wantedProxy } from "./proxy.ts";
import { PrivateAddressError, privateAddressProblem } from "./public-address.ts";
import { version } from "../version.ts";

type Answer = HttpResponse | HttpFailure;

/** `env` names the proxies. */
export function createSendHttp(env: Environment): SendHttp {
  const kept = new Map<string, Promise<Dispatcher>>();
  const keptFor = (tunnel: URL | undefined): Promise<Dispatcher> => {
    const key = tunnel?.href ?? "";
    const connections = kept.get(key) ?? openConnections({ tunnel });
    kept.set(key, connections);
    return connections;
  };
  return async (request, { timeoutMs, signal, lines, keepsConnection = false }) => {
    const url = readDestination(request);
    if ("failure" in url) return url;
    const proxy = proxyFor(url, env);
    if (proxy === "invalid") return { failure: "network", detail: wantedProxy };
    // curl does the same: https goes through a tunnel, http is forwarded.
    const tunnel = url.protocol === "https:" ? proxy : undefined;
    const forwarder = url.protocol === "https:" ? undefined : proxy;
    const isPublicOnly = request.isPublicOnly === true;
    // A message that must not be repeated gets a new connection: one that the server closes leaves its fate unknown. A kept
    // connection may also lead to an address that was not looked up for this request.
    const isKept = keepsConnection && !isPublicOnly;
    const exchange = startExchange(url.origin, request.maxResponseBytes ?? maxResponseBytes, lines);
    const timers = [setTimeout(exchange.expire, timeoutMs), setTimeout(exchange.giveUpConnecting, connectTimeoutMs)];
    signal?.addEventListener("abort", exchange.expire, { once: true });
    if (signal?.aborted) exchange.expire();
    const end = new AbortController();
    try {
      if (exchange.isOver()) return await exchange.answer;
      const connections = await (isKept
        ? keptFor(tunnel)
        : openConnections({ tunnel, isPublicOnly, signal: end.signal }));
      if (!isKept) end.signal.addEventListener("abort", () => void connections.destroy().catch(() => {}));
      dispatch(
        connections,
        {
          origin: forwarder?.origin ?? url.origin,
          path: forwarder === undefined ? url.pathname + url.search : url.href,
          method: request.method,
          headers: {
            "user-agent": `hookbell/${version}`,
            ...request.headers,
            ...(forwarder === undefined ? {} : { host: url.host, ...proxyAuthorization(forwarder) }),
          },
          body: request.bytes ?? request.body ?? null,
          bodyTimeout: lines?.idleTimeoutMs ?? bodyIdleTimeoutMs,
          reset: !isKept,
        },
        { exchange, isForwarded: forwarder !== undefined, signal: end.signal },
      );
      return await exchange.answer;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", exchange.expire);
      end.abort();
    }
  };
}

function dispatch(
  connections: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { exchange, isForwarded, signal }: { exchange: Exchange; isForwarded: boolean; signal: AbortSignal },
): void {
  connections.dispatch(request, {
    onRequestStart(controller) {
      const stop = (): void => controller.abort(new Error("the exchange is over"));
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      exchange.connected();
    },
    onResponseStart(_, status, answered) {
      if (isForwarded && status === 407) exchange.fail(new TunnelError({ status }));
      // What is lower only announces the answer.
      else if (status >= 200) exchange.start(status, answered);
    },
    onResponseData: (_, chunk) => exchange.read(chunk),
    // undici frees the connection in the next turn; a request before that would open another one.
    onResponseEnd: () => void setImmediate(() => setImmediate(exchange.end)),
    onResponseError: (_, error) => exchange.fail(error),
  });
}

type Exchange = ReturnType<typeof startExchange>;

/** The first event that settles the exchange counts. */
function startExchange(origin: string, maxBytes: number, lines: LineReader | undefined) {
  let isSent = false;
  let isOver = false;
  let head: Pick<HttpResponse, "status" | "headers"> | undefined;
  let onText: ((chunk: Buffer) => boolean) | undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  let settle: (result: Answer) => void = () => {};
  const answer = new Promise<Answer>((resolve) => {
    settle = (result) => {
      isOver = true;
      resolve(result);
    };
  });
  const settleWithBody = (bodyEnd: "whole" | "cut" | "broken"): void => {
    if (isOver || head === undefined) return;
    settle({ ...head, body: Buffer.concat(chunks).toString("utf8"), bodyEnd });
  };
  const unreached = (failure: "network" | "timeout", cause: string): void =>
    settle({ failure, detail: `could not reach ${origin}: ${cause}` });
  return {
    answer,
    isOver: () => isOver,
    connected(): void {
      isSent = true;
    },
    start(status: number, headers: IncomingHttpHeaders): void {
      head = { status, headers: joinHeaders(headers) };
      if (lines !== undefined && status >= 200 && status < 300) onText = lineSplitter(lines, maxBytes);
    },
    read(chunk: Buffer): void {
      if (isOver) return;
      if (onText !== undefined) {
        if (!onText(chunk)) settleWithBody("cut");
        return;
      }
      const room = maxBytes - bytes;
      chunks.push(chunk.subarray(0, room));
      bytes += chunk.length;
      if (bytes > maxBytes) settleWithBody("cut");
    },
    end: () => settleWithBody("whole"),
    fail(error: unknown): void {
      if (isOver) return;
      if (head !== undefined) return settleWithBody("broken");
      if (error instanceof PrivateAddressError) {
        return settle({ failure: "rejected", detail: `${origin} ${privateAddressProblem}` });
      }
      if (error instanceof TunnelError && error.status !== undefined) {
        return unreached("network", describeProxyRefusal(error.status));
      }
      const cause = describeConnectionError(error);
      if (isSent) return settle({ failure: "unknown", detail: `no answer from ${origin}: ${cause}` });
      unreached("network", cause);
    },
    giveUpConnecting(): void {
      if (!isSent && !isOver) unreached("timeout", "the host did not answer");
    },
    /** The deadline passed. */
    expire(): void {
      if (isOver) return;
      if (head !== undefined) return settleWithBody("broken");
      if (isSent) return settle({ failure: "unknown", detail: `${origin} got the request and did not answer in time` });
      settle({ failure: "timeout", detail: `could not reach ${origin} in time` });
    },
  };
}

/** Takes the chunks; false once a line is longer than `maxBytes`. */
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
