// Chooses between a direct connection and the proxy in the environment.
import type { Dispatcher } from "undici";
import type { Environment } from "../environment.ts";
import { isLoopback } from "./destination.ts";
import { connectTimeoutMs } from "./http.ts";

/** Like curl, accepts `proxy.example:3128`. */
function proxyUrl(value: string | undefined): string {
  if (value === undefined || value === "") return "";
  return value.includes("://") ? value : `http://${value}`;
}

/**
 * A new connection for each request: on a kept connection that the server is closing, a message's fate would be unknown.
 * Throws if a proxy variable is not a URL.
 */
export async function openRoute(
  url: URL,
  env: Environment,
  onConnectionError: (error: Error) => void,
): Promise<Dispatcher> {
  const { Agent, Client, EnvHttpProxyAgent } = await import("undici");
  const connect = { timeout: connectTimeoutMs };
  const options = {
    connect,
    requestTls: connect,
    proxyTls: connect,
    // Like curl: plain http is forwarded by the proxy, https goes through a tunnel.
    proxyTunnel: false,
    factory: (origin: string | URL, clientOptions: object): Dispatcher => {
      const client = new Client(origin, clientOptions);
      // Otherwise undici reconnects endlessly when a proxy hangs up.
      client.on("connectionError", (_origin, _targets, error) => onConnectionError(error));
      return client;
    },
  };
  // A proxy would look for the receiver on its own machine.
  if (isLoopback(url)) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    // Unlike undefined, an empty string keeps undici from reading process.env.
    httpProxy: proxyUrl(env.http_proxy ?? env.HTTP_PROXY),
    httpsProxy: proxyUrl(env.https_proxy ?? env.HTTPS_PROXY),
    noProxy: env.no_proxy ?? env.NO_PROXY ?? "",
  });
}
