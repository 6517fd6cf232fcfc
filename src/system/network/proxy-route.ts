// Opens a request: directly, or through the proxy in the environment.
import type { ClientRequest, RequestOptions } from "node:http";
import { isIP } from "node:net";
import { urlToHttpOptions } from "node:url";
import type { Environment } from "../environment.ts";
import { isLoopback } from "./destination.ts";

export interface Route {
  request: ClientRequest;
  /** The proxy can answer in the receiver's place. */
  isForwarded: boolean;
}

/** A new connection each: one that the server closes leaves a message's fate unknown. */
export async function openRoute(
  url: URL,
  env: Environment,
  options: Omit<RequestOptions, "headers"> & { headers: Record<string, string> },
): Promise<Route | undefined> {
  const proxy = proxyFor(url, env);
  if (proxy === "invalid") return undefined;
  const common = { ...urlToHttpOptions(url), ...options, agent: false };
  if (proxy === undefined) return { request: open(url.protocol, common), isForwarded: false };
  if (url.protocol === "https:") {
    const { HttpsProxyAgent } = await import("hpagent");
    const proxyRequestOptions: object = { signal: options.signal };
    const agent = new HttpsProxyAgent({ proxy, proxyRequestOptions });
    return { request: open("https:", { ...common, agent }), isForwarded: false };
  }
  // As curl does: https goes through a tunnel.
  const forwarded = {
    ...common,
    hostname: urlToHttpOptions(proxy).hostname,
    port: proxy.port,
    path: url.href,
    servername: isIP(proxy.hostname) === 0 ? proxy.hostname : "",
    headers: { ...options.headers, host: url.host, ...credentials(proxy) },
  };
  return { request: open(proxy.protocol, forwarded), isForwarded: true };
}

function open(protocol: string, options: RequestOptions): ClientRequest {
  // An import() of node:http would load fetch and WebSocket, too: 20 ms.
  const { request } = process.getBuiltinModule(protocol === "https:" ? "node:https" : "node:http");
  return request({ ...options, protocol });
}

function credentials({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

export function proxyFor(url: URL, env: Environment): URL | "invalid" | undefined {
  // The proxy would look on its own machine.
  if (isLoopback(url) || isExcluded(url, env.no_proxy ?? env.NO_PROXY ?? "")) return undefined;
  const plain = env.http_proxy ?? env.HTTP_PROXY;
  const secure = env.https_proxy ?? env.HTTPS_PROXY;
  const value = url.protocol === "https:" ? secure || plain : plain;
  if (value === undefined || value === "") return undefined;
  // Like curl, accepts `proxy.example:3128`.
  const text = value.includes("://") ? value : `http://${value}`;
  if (!URL.canParse(text)) return "invalid";
  const proxy = new URL(text);
  const isHttp = proxy.protocol === "http:" || proxy.protocol === "https:";
  return isHttp && isDecodable(proxy.username + proxy.password) ? proxy : "invalid";
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** `.example.org` and `*.example.org` are its subdomains, `*` is every name. */
function isExcluded(url: URL, names: string): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return names.split(/[\s,]+/).some((entry) => {
    const [, name = "", ownPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === "" || (ownPort !== undefined && ownPort !== port)) return false;
    return /^[.*]/.test(name) ? url.hostname.endsWith(name.replace(/^\*/, "")) : url.hostname === name;
  });
}
