import type { Dispatcher } from "undici";
import type { Environment } from "../environment.ts";
import { isLoopback } from "./destination.ts";
import { connectTimeoutMs } from "./http.ts";

/** `proxy.example:3128` is how many people write it, as curl takes it. */
function proxyUrl(value: string | undefined): string {
  if (value === undefined || value === "") return "";
  return value.includes("://") ? value : `http://${value}`;
}

/**
 * The way to a host for one single request: direct, or through the proxy that the environment names. A fresh one each
 * time, since on a kept connection that the server is just closing a message's fate would be unknown.
 * Throws when a proxy variable does not hold a URL.
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
      // Without this, undici connects again and again for as long as a proxy hangs up on it.
      client.on("connectionError", (_origin, _targets, error) => onConnectionError(error));
      return client;
    },
  };
  // A proxy would look for the receiver on its own machine, and get in the clear what was not to leave this one.
  if (isLoopback(url)) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    // An empty string, unlike undefined, keeps undici from looking into process.env.
    httpProxy: proxyUrl(env.http_proxy ?? env.HTTP_PROXY),
    httpsProxy: proxyUrl(env.https_proxy ?? env.HTTPS_PROXY),
    noProxy: env.no_proxy ?? env.NO_PROXY ?? "",
  });
}
