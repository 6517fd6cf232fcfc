// Finds the proxy for a request in the environment.
import type { Environment } from "../environment.ts";
import { isLoopback } from "./destination.ts";

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
