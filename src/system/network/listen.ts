// Serves HTTP on one address.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createAdaptorServer, type ServerType } from "@hono/node-server";

export interface ListenOptions {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** PEM texts. */
  tls?: { cert: string; key: string } | undefined;
  fetch: (request: Request, env: unknown) => Response | Promise<Response>;
  /**
   * A client that has read and sent nothing for so long has gone, or wants to use up the connections. Node waits up
   * to twice as long while a part of an answer is waiting.
   */
  idleMs?: number;
}

export interface Listener {
  /** Such as `http://127.0.0.1:8787`. */
  url: string;
  /** Lets requests end for a moment. */
  close(): Promise<void>;
}

const bounds = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  maxHeaderSize: 16 * 1024,
  // Node looks for connections that are over these times only so often; its default is 30 seconds.
  connectionsCheckingInterval: 2000,
};
export const maxConnections = 500;
/** No client that we know of asks again before it has an answer. */
export const maxRequestsAtOnce = 4;
const usualIdleMs = 20_000;
const closeAfterMs = 3000;

/** Throws the system's error, such as EADDRINUSE. */
export async function listen({ host, port, tls, fetch, idleMs = usualIdleMs }: ListenOptions): Promise<Listener> {
  const server = createAdaptorServer(
    tls === undefined
      ? { fetch, serverOptions: bounds }
      : { fetch, createServer: createHttpsServer, serverOptions: { ...bounds, ...tls } },
  );
  boundConnections(server);
  server.setTimeout(idleMs);
  boundRequests(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const { port: actualPort } = server.address() as AddressInfo;
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? "http" : "https"}://${shownHost}:${actualPort}`,
    close: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          if ("closeAllConnections" in server) server.closeAllConnections();
        }, closeAfterMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        if ("closeIdleConnections" in server) server.closeIdleConnections();
      }),
  };
}

/** Connections whose client has proved who it is. */
const kept = new WeakSet<Socket>();

/** Strangers who take all connections do not have this one closed. */
export function keepConnection(socket: Socket): void {
  kept.add(socket);
}

/** One connection more closes the oldest of a stranger: refusing the new one would lock everyone out while strangers hold all. */
function boundConnections(server: ServerType): void {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    if (open.size <= maxConnections) return;
    const all = [...open];
    (all.find((each) => !kept.has(each)) ?? all[0])?.destroy();
  });
}

/** Closes a connection with more requests at once: their answers would wait in memory until the client reads them. */
function boundRequests(server: ServerType): void {
  const waiting = new WeakMap<Socket, number>();
  const handlers = server.listeners("request");
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    response.once("close", () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    // Further requests of the same packet still come after the socket was closed.
    if (count > maxRequestsAtOnce) socket.destroy();
    else for (const handle of handlers) handle.call(server, request, response);
  });
}
