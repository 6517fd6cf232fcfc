// Serves HTTP on one address.
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";

export interface ListenOptions {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** PEM texts. */
  tls?: { cert: string; key: string } | undefined;
  fetch: (request: Request, env: unknown) => Response | Promise<Response>;
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
const closeAfterMs = 3000;

/** Throws the system's error, such as EADDRINUSE. */
export async function listen({ host, port, tls, fetch }: ListenOptions): Promise<Listener> {
  const server = createAdaptorServer(
    tls === undefined
      ? { fetch, serverOptions: bounds }
      : { fetch, createServer: createHttpsServer, serverOptions: { ...bounds, ...tls } },
  );
  // Before Node 22 the server has no such property until it is set.
  server.maxConnections = maxConnections;
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
