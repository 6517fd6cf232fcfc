// Connections by undici: for websockets, and for tunnels through a proxy.
import type { Dispatcher } from "undici";

const kept = new Map<string, Promise<Dispatcher>>();

/** The tunnels that all requests with the same proxy share. An idle one does not keep the process running. */
export function keptTunnels(proxy: URL): Promise<Dispatcher> {
  const opened = kept.get(proxy.href) ?? openConnections(proxy);
  kept.set(proxy.href, opened);
  return opened;
}

/** The caller ends them with `destroy()`. */
export async function openConnections(proxy: URL | undefined): Promise<Dispatcher> {
  if (proxy === undefined) {
    const { default: Agent } = await import("undici/lib/dispatcher/agent.js");
    return new Agent();
  }
  const { default: ProxyAgent } = await import("undici/lib/dispatcher/proxy-agent.js");
  const { default: Pool } = await import("undici/lib/dispatcher/pool.js");
  const { default: connect } = await import("undici/lib/api/api-connect.js");
  const token = proxyCredentials(proxy);
  return new ProxyAgent({
    uri: proxy.origin,
    ...(token === undefined ? {} : { token }),
    clientFactory(origin, options) {
      const pool = new Pool(origin, options);
      // undici adds `connect` to its classes only when all of it is loaded. It would also ask a proxy that hangs up
      // again and again, unless the error has another code.
      return Object.assign(pool, {
        connect: (request: Dispatcher.ConnectOptions) =>
          connect.call(pool, request).catch((cause: unknown) => {
            throw new Error("the proxy opened no tunnel", { cause });
          }),
      });
    },
  });
}

/** The value of `Proxy-Authorization`. */
export function proxyCredentials({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}
