// Opens websockets to services that answer this machine without a public address of it.
import type { Agent } from "node:http";
import type { RawData } from "ws";
import { describeConnectionError, describeProxyRefusal, proxyStatusOf } from "./failure-text.ts";
import { readDestination } from "./destination.ts";
import { connectTimeoutMs } from "./http.ts";
import { proxyFor } from "./proxy-route.ts";
import type { Clock } from "../clock.ts";
import type { Environment } from "../environment.ts";
import { version } from "../version.ts";

export interface WebSocketRequest {
  /** Starts with wss:// or ws://. Often a credential: never log it. */
  url: string;
  /** To another machine. */
  isPlainAllowed?: boolean | undefined;
}

export interface WebSocketLine {
  /** Nothing, once the connection has ended. */
  send(message: object): void;
  close(code?: number): void;
  /** How it ended, or why there was none; 1006 without a code of the service. Names the host at most. */
  ended: Promise<{ code: number; detail: string }>;
}

/** A line without a sign of life for twice as long is dead. */
const pingEveryMs = 15_000;
const maxMessageBytes = 1024 * 1024;
const closeTimeoutMs = 2000;

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
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(address, {
    agent: proxy === undefined ? undefined : await tunnelThrough(proxy, url),
    headers: { "user-agent": `hookbell/${version}` },
    handshakeTimeout: connectTimeoutMs,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  });
  const close = (code?: number): void => {
    socket.close(code);
    clock.after(closeTimeoutMs, () => socket.terminate());
  };
  const stop = (): void => close(1000);
  let cancelPing = (): void => {};
  let isAlive = true;
  const ping = (): void => {
    cancelPing = clock.after(pingEveryMs, () => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      socket.ping();
      ping();
    });
  };
  let cause: string | undefined;
  const ended = new Promise<{ code: number; detail: string }>((resolve) => {
    socket.on("open", ping);
    socket.on("pong", () => (isAlive = true));
    socket.on("message", (data, isBinary) => {
      isAlive = true;
      const message = isBinary ? undefined : objectIn(data);
      if (message !== undefined) onMessage(message);
    });
    socket.on("error", (error) => {
      const proxyStatus = proxyStatusOf(error);
      const status = /^Unexpected server response: (\d{3})$/.exec(error.message)?.[1];
      if (proxyStatus !== undefined) cause ??= describeProxyRefusal(proxyStatus);
      else cause ??= status === undefined ? describeConnectionError(error) : `it answered ${status}`;
    });
    socket.on("close", (code) => {
      cancelPing();
      signal.removeEventListener("abort", stop);
      const detail = cause ?? `the connection was closed (code ${code})`;
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

function noLine(detail: string): WebSocketLine {
  return { send() {}, close() {}, ended: Promise.resolve({ code: 1006, detail }) };
}

async function tunnelThrough(proxy: URL, { protocol }: URL): Promise<Agent> {
  const { HttpProxyAgent, HttpsProxyAgent } = await import("hpagent");
  return protocol === "https:" ? new HttpsProxyAgent({ proxy }) : new HttpProxyAgent({ proxy });
}

function objectIn(data: RawData): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse((data as Buffer).toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
