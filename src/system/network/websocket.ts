// Opens websockets to services that answer this machine without a public address of it.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Duplex } from "node:stream";
import type { Dispatcher } from "undici";
import { openConnections } from "./connections.ts";
import { describeConnectionError, describeProxyRefusal, proxyStatusOf } from "./failure-text.ts";
import { readDestination } from "./destination.ts";
import { connectTimeoutMs } from "./http.ts";
import { proxyFor } from "./proxy.ts";
import type { Clock } from "../clock.ts";
import type { Environment } from "../environment.ts";
import { version } from "../version.ts";
import { asObject, parseJson } from "../../model/json.ts";

export interface WebSocketRequest {
  /** Starts with wss:// or ws://. Often a credential: never log it. */
  url: string;
  /** Whether another machine may be asked without TLS. */
  isPlainAllowed?: boolean | undefined;
}

export interface WebSocketLine {
  /** Does nothing once the connection has ended. */
  send(message: object): void;
  close(code?: number): void;
  /** How it ended, or why there was none; 1006 without a code of the service. Names the host at most. */
  ended: Promise<{ code: number; detail: string }>;
}

/** A line without a sign of life for twice as long is dead. */
const pingEveryMs = 15_000;
const maxMessageBytes = 1024 * 1024;
const closeTimeoutMs = 2000;
/** https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md */
const pongChannel = "undici:websocket:pong";

/** Each message is a JSON object; others are left out. Aborting `signal` ends the connection. */
export async function openWebSocket(
  { url: address, isPlainAllowed: isPlainHttpAllowed }: WebSocketRequest,
  { env, clock, signal }: { env: Environment; clock: Clock; signal: AbortSignal },
  onMessage: (message: Readonly<Record<string, unknown>>) => void,
): Promise<WebSocketLine> {
  const url = readDestination({ method: "GET", url: address.replace(/^ws/i, "http"), isPlainHttpAllowed });
  if ("failure" in url) return noLine(url.detail);
  const proxy = proxyFor(url, env);
  if (proxy === "invalid") return noLine("HTTP_PROXY or HTTPS_PROXY does not hold the URL of an HTTP proxy");
  const { ping, WebSocket } = await import("undici/lib/web/websocket/websocket.js");
  const connections = await openConnections(proxy);
  const handshake = await watchHandshake(connections);
  const dispatcher = handshake.dispatcher;
  const socket = new WebSocket(address, { dispatcher, headers: { "user-agent": `hookbell/${version}` } });
  const terminate = (): void => {
    handshake.stream()?.destroy();
    void connections.destroy().catch(() => {});
  };
  const close = (code?: number): void => {
    socket.close(code);
    clock.after(closeTimeoutMs, terminate);
  };
  const stop = (): void => close(1000);
  let cancelTimer = clock.after(connectTimeoutMs, terminate);
  let isAlive = true;
  const pingOn = (): void => {
    cancelTimer = clock.after(pingEveryMs, () => {
      if (!isAlive) return terminate();
      isAlive = false;
      ping(socket);
      pingOn();
    });
  };
  const onPong = (message: unknown): void => {
    if ((message as { websocket?: unknown }).websocket === socket) isAlive = true;
  };
  subscribe(pongChannel, onPong);
  const ended = new Promise<{ code: number; detail: string }>((resolve) => {
    socket.addEventListener("open", () => {
      cancelTimer();
      pingOn();
    });
    socket.addEventListener("message", ({ data }) => {
      isAlive = true;
      const message = typeof data === "string" ? asObject(parseJson(data)) : undefined;
      if (message !== undefined) onMessage(message);
    });
    socket.addEventListener("close", ({ code }) => {
      cancelTimer();
      unsubscribe(pongChannel, onPong);
      signal.removeEventListener("abort", stop);
      void connections.destroy().catch(() => {});
      const detail = handshake.problem() ?? `the connection was closed (code ${code})`;
      resolve({ code, detail: `no connection to ${url.host}: ${detail}` });
    });
  });
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return {
    send(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close,
    ended,
  };
}

/** undici's events say neither why a handshake failed nor hand over the connection, which a dead line needs destroyed. */
async function watchHandshake(
  connections: Dispatcher,
): Promise<{ dispatcher: Dispatcher; stream(): Duplex | undefined; problem(): string | undefined }> {
  const { default: DecoratorHandler } = await import("undici/lib/handler/decorator-handler.js");
  let stream: Duplex | undefined;
  let problem: string | undefined;
  const dispatch: Dispatcher["dispatch"] = (options, handler) => {
    const inner: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
    return connections.dispatch(
      { ...options, headersTimeout: 0 },
      {
        onRequestStart: (...args) => inner.onRequestStart?.(...args),
        onRequestUpgrade(...args) {
          stream = args[3];
          return inner.onRequestUpgrade?.(...args);
        },
        onResponseStart(...args) {
          problem ??= `it answered ${args[1]}`;
          return inner.onResponseStart?.(...args);
        },
        onResponseData: (...args) => inner.onResponseData?.(...args),
        onResponseEnd: (...args) => inner.onResponseEnd?.(...args),
        onResponseError(...args) {
          const status = proxyStatusOf(args[1]);
          problem ??= status === undefined ? describeConnectionError(args[1]) : describeProxyRefusal(status);
          return inner.onResponseError?.(...args);
        },
      },
    );
  };
  const limits = { maxPayloadSize: maxMessageBytes };
  // undici reads only these two of a websocket's dispatcher.
  const dispatcher = { dispatch, webSocketOptions: limits } as unknown as Dispatcher;
  return { dispatcher, stream: () => stream, problem: () => problem };
}

function noLine(detail: string): WebSocketLine {
  return { send() {}, close() {}, ended: Promise.resolve({ code: 1006, detail }) };
}
