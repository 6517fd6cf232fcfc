// Sends HTTP requests: the only place where they leave this machine; websockets are beside it.
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { StringDecoder } from "node:string_decoder";
import { urlToHttpOptions } from "node:url";
import type { Environment } from "../environment.ts";
import { keptTunnels, openConnections, proxyCredentials } from "./connections.ts";
import { readDestination } from "./destination.ts";
import { describeConnectionError, describeProxyRefusal, proxyStatusOf } from "./failure-text.ts";
import {
  bodyIdleTimeoutMs,
  connectTimeoutMs,
  maxResponseBytes,
  type HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type LineReader,
  type SendHttp,
} from "./http.ts";
import { proxyFor } from "./proxy.ts";
import { lookUpPublic, PrivateAddressError, privateAddressProblem } from "./public-address.ts";
import { version } from "../version.ts";
import type * as http from "node:http";
import type * as https from "node:https";

type Answer = HttpResponse | HttpFailure;

/** What a client does with a request. */
interface Sending {
  url: URL;
  method: HttpRequest["method"];
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  isPublicOnly: boolean;
  /** Ends the connection, whatever state it is in. */
  signal: AbortSignal;
  bodyTimeoutMs: number;
}

/** `env` names the proxies. */
export function createSendHttp(env: Environment): SendHttp {
  return async (request, { timeoutMs, signal, lines, keepsConnection = false }) => {
    const url = readDestination(request);
    if ("failure" in url) return url;
    const proxy = proxyFor(url, env);
    if (proxy === "invalid") {
      return { failure: "network", detail: "HTTP_PROXY or HTTPS_PROXY does not hold the URL of an HTTP proxy" };
    }
    const exchange = startExchange(url.origin, request.maxResponseBytes ?? maxResponseBytes, lines);
    const timers = [setTimeout(exchange.expire, timeoutMs), setTimeout(exchange.giveUpConnecting, connectTimeoutMs)];
    signal?.addEventListener("abort", exchange.expire, { once: true });
    if (signal?.aborted) exchange.expire();
    const end = new AbortController();
    const sending: Sending = {
      url,
      method: request.method,
      headers: { "user-agent": `hookbell/${version}`, ...request.headers },
      body: request.bytes ?? request.body,
      isPublicOnly: request.isPublicOnly === true,
      signal: end.signal,
      bodyTimeoutMs: lines?.idleTimeoutMs ?? bodyIdleTimeoutMs,
    };
    try {
      // curl does the same: https goes through a tunnel, http is forwarded.
      const isTunnelled = proxy !== undefined && url.protocol === "https:";
      if (exchange.isOver()) return await exchange.answer;
      if (isTunnelled) await sendByUndici(sending, exchange, proxy, keepsConnection);
      else sendByNode(sending, exchange, proxy, keepsConnection && proxy === undefined);
      return await exchange.answer;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", exchange.expire);
      end.abort();
    }
  };
}

/**
 * A message that must not be repeated gets a new connection: one that the server closes leaves its fate unknown. Node's
 * client starts fastest.
 */
function sendByNode(sending: Sending, exchange: Exchange, proxy: URL | undefined, isKept: boolean): void {
  const { url, method, headers, body, isPublicOnly, signal, bodyTimeoutMs } = sending;
  // A kept connection may lead to an address that was not looked up for this request.
  const agent = isKept && !isPublicOnly ? keptAgent(url.protocol) : false;
  const lookup = isPublicOnly ? lookUpPublic : undefined;
  const common = { ...urlToHttpOptions(url), method, headers, signal, agent, lookup };
  const token = proxy && proxyCredentials(proxy);
  const forwarded = proxy && {
    ...common,
    hostname: urlToHttpOptions(proxy).hostname,
    port: proxy.port,
    path: url.href,
    servername: isIP(proxy.hostname) === 0 ? proxy.hostname : "",
    headers: { ...headers, host: url.host, ...(token === undefined ? {} : { "proxy-authorization": token }) },
  };
  const { protocol } = proxy ?? url;
  const request = clientFor(protocol).request({ ...(forwarded ?? common), protocol });
  request.on("error", exchange.fail);
  // The request is written in the turn in which the connection stands.
  request.on("socket", (socket) => {
    if (!socket.connecting) return exchange.connected();
    socket.once("encrypted" in socket ? "secureConnect" : "connect", exchange.connected);
  });
  request.on("response", (response) => {
    const status = response.statusCode ?? 0;
    if (proxy !== undefined && status === 407) return exchange.refusedByProxy(status);
    exchange.start(status, response.headers);
    response.setTimeout(bodyTimeoutMs, () => exchange.end(false));
    response.on("data", exchange.read);
    response.on("end", () => exchange.end(response.complete));
    response.on("error", exchange.fail);
  });
  request.end(body);
}

async function sendByUndici(
  { url, method, headers, body, signal, bodyTimeoutMs: bodyTimeout }: Sending,
  exchange: Exchange,
  proxy: URL,
  isKept: boolean,
): Promise<void> {
  const connections = await (isKept ? keptTunnels(proxy) : openConnections(proxy));
  if (!isKept) signal.addEventListener("abort", () => void connections.destroy().catch(() => {}), { once: true });
  const path = url.pathname + url.search;
  const request = { origin: url.origin, path, method, headers, body: body ?? null, headersTimeout: 0, bodyTimeout };
  connections.dispatch(request, {
    onRequestStart(controller) {
      const stop = (): void => controller.abort(new Error("the exchange is over"));
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      exchange.connected();
    },
    onResponseStart: (_, status, answered) => exchange.start(status, answered),
    onResponseData: (_, chunk) => exchange.read(chunk),
    // undici frees the connection in the next turn; a request before that would open another one.
    onResponseEnd: () => void setImmediate(() => setImmediate(exchange.end, true)),
    onResponseError: (_, error) => exchange.fail(error),
  });
}

interface Exchange {
  answer: Promise<Answer>;
  isOver(): boolean;
  connected(): void;
  start(status: number, headers: IncomingHttpHeaders): void;
  read(chunk: Buffer): void;
  end(isWhole: boolean): void;
  fail(error: unknown): void;
  refusedByProxy(status: number): void;
  giveUpConnecting(): void;
  /** The deadline passed. */
  expire(): void;
}

/** The first event that settles the exchange counts. */
function startExchange(origin: string, maxBytes: number, lines: LineReader | undefined): Exchange {
  let isSent = false;
  let isOver = false;
  let head: Pick<HttpResponse, "status" | "headers"> | undefined;
  let onText: ((chunk: Buffer) => boolean) | undefined;
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
  return {
    answer,
    isOver: () => isOver,
    connected() {
      isSent = true;
    },
    start(status, headers) {
      head = { status, headers: joinHeaders(headers) };
      if (lines !== undefined && status >= 200 && status < 300) onText = lineSplitter(lines, maxBytes);
    },
    read(chunk) {
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
    end: (isWhole) => settleWithBody(isWhole ? "whole" : "broken"),
    fail(error) {
      if (isOver) return;
      if (head !== undefined) return settleWithBody("broken");
      if (error instanceof PrivateAddressError) {
        return settle({ failure: "rejected", detail: `${origin} ${privateAddressProblem}` });
      }
      const proxyStatus = proxyStatusOf(error);
      if (proxyStatus !== undefined) return unreached("network", describeProxyRefusal(proxyStatus));
      const cause = describeConnectionError(error);
      if (isSent) return settle({ failure: "unknown", detail: `no answer from ${origin}: ${cause}` });
      unreached("network", cause);
    },
    refusedByProxy: (status) => unreached("network", describeProxyRefusal(status)),
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

function withResolvers<T>(): { promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Node's servers close an idle connection after five seconds, most others later. */
const keptMs = 2000;
const keptAgents = new Map<string, http.Agent>();

/** An idle connection does not keep the process running. */
function keptAgent(protocol: string): http.Agent {
  const { Agent } = clientFor(protocol);
  const agent = keptAgents.get(protocol) ?? new Agent({ keepAlive: true, timeout: keptMs });
  keptAgents.set(protocol, agent);
  return agent;
}

/** An import() of node:http would load fetch and WebSocket, too: 20 ms. */
function clientFor(protocol: string): typeof http | typeof https {
  return process.getBuiltinModule(protocol === "https:" ? "node:https" : "node:http");
}
