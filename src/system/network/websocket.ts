// Opens websockets to services that answer this machine without a public address of it.
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import type { ClientOptions } from "ws";
import { openTunnel, TunnelError } from "./connections.ts";
import { readDestination } from "./destination.ts";
import { describeConnectionError, describeProxyRefusal } from "./failure-text.ts";
import { connectTimeoutMs } from "./http.ts";
import { proxyFor, wantedProxy } from "./proxy.ts";
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

/** Each message is a JSON object; others are left out. Aborting `signal` ends the connection. */
export async function openWebSocket(
  { url: address, isPlainAllowed: isPlainHttpAllowed }: WebSocketRequest,
  { env, clock, signal }: { env: Environment; clock: Clock; signal: AbortSignal },
  onMessage: (message: Readonly<Record<string, unknown>>) => void,
): Promise<WebSocketLine> {
  const url = readDestination({ method: "GET", url: address.replace(/^ws/i, "http"), isPlainHttpAllowed });
  if ("failure" in url) return noLine(url.detail);
  const proxy = proxyFor(url, env);
  if (proxy === "invalid") return noLine(wantedProxy);
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(address, {
    headers: { "user-agent": `hookbell/${version}` },
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    ...(proxy === undefined ? {} : { createConnection: tunnelledBy(proxy, url) }),
  });
  let isAlive = true;
  let cancelTimer = clock.after(connectTimeoutMs, () => socket.terminate());
  let cancelClosing = (): void => {};
  const close = (code?: number): void => {
    socket.close(code);
    cancelClosing();
    cancelClosing = clock.after(closeTimeoutMs, () => socket.terminate());
  };
  const stop = (): void => close(1000);
  const pingOn = (): void => {
    cancelTimer = clock.after(pingEveryMs, () => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      socket.ping();
      pingOn();
    });
  };
  let problem: string | undefined;
  socket.on("error", (error) => (problem ??= describeProblem(error)));
  socket.on("unexpected-response", (_, { statusCode }) => {
    problem ??= `it answered ${statusCode}`;
    socket.terminate();
  });
  socket.on("open", () => {
    cancelTimer();
    pingOn();
  });
  socket.on("pong", () => (isAlive = true));
  socket.on("message", (data, isBinary) => {
    isAlive = true;
    // ws hands over a Buffer, unless another `binaryType` is set.
    const message = isBinary ? undefined : asObject(parseJson((data as Buffer).toString()));
    if (message !== undefined) onMessage(message);
  });
  const ended = new Promise<{ code: number; detail: string }>((resolve) => {
    socket.on("close", (code) => {
      cancelTimer();
      cancelClosing();
      signal.removeEventListener("abort", stop);
      const detail = problem ?? `the connection was closed (code ${code})`;
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

function describeProblem(error: Error): string {
  const status = error instanceof TunnelError ? error.status : undefined;
  return status === undefined ? describeConnectionError(error) : describeProxyRefusal(status);
}

/** Opens a connection as node:http asks for one: with a callback. */
function tunnelledBy(proxy: URL, { protocol, hostname, port }: URL): ClientOptions["createConnection"] {
  const isSecure = protocol === "https:";
  const host = hostname.replace(/^\[|\]$/g, "");
  const connect = async (_: unknown, done: (error: Error | null, socket?: Duplex) => void): Promise<void> => {
    try {
      // Commands that open no line do not load it.
      const { connect: connectTls } = process.getBuiltinModule("node:tls");
      const socket = await openTunnel(proxy, `${hostname}:${port || (isSecure ? 443 : 80)}`);
      done(null, isSecure ? connectTls({ socket, host, servername: isIP(host) === 0 ? host : "" }) : socket);
    } catch (error) {
      done(error as Error);
    }
  };
  // Its type names only the form that returns the socket: https://nodejs.org/api/http.html#agentcreateconnectionoptions-callback
  return ((...args: Parameters<typeof connect>) =>
    void connect(...args)) as unknown as ClientOptions["createConnection"];
}

function noLine(detail: string): WebSocketLine {
  return { send() {}, close() {}, ended: Promise.resolve({ code: 1006, detail }) };
}
