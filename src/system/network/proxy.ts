// Finds the proxy for a request in the environment.
import type { Environment } from "../environment.ts";
import { isLoopback } from "./destination.ts";

export function proxyFor(url: URL, env: Environment): URL | "invalid" | undefined {
  // The proxy would look for a local address on its own machine.
  if (isLoopback(url) || isExcluded(url, exclusionsIn(env))) return undefined;
  const { plain, secure } = proxiesIn(env);
  const value = url.protocol === "https:" ? secure || plain : plain;
  if (value === "") return undefined;
  // Like curl, accepts `proxy.example:3128`.
  const text = value.includes("://") ? value : `http://${value}`;
  if (!URL.canParse(text)) return "invalid";
  const proxy = new URL(text);
  const isHttp = proxy.protocol === "http:" || proxy.protocol === "https:";
  return isHttp && isDecodable(proxy.username + proxy.password) ? proxy : "invalid";
}

function proxiesIn(env: Environment): { plain: string; secure: string } {
  return {
    plain: env.http_proxy ?? env.HTTP_PROXY ?? "",
    secure: env.https_proxy ?? env.HTTPS_PROXY ?? "",
  };
}

function exclusionsIn(env: Environment): string {
  return env.no_proxy ?? env.NO_PROXY ?? "";
}

/** Node.js and OpenSSL read them, and the system's resolver: https://nodejs.org/api/cli.html#environment-variables */
const routeVariables = [
  "NODE_EXTRA_CA_CERTS",
  "NODE_TLS_REJECT_UNAUTHORIZED",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "HOSTALIASES",
  "LOCALDOMAIN",
  "RES_OPTIONS",
];

/** What of the environment decides which computer answers a request. */
export function networkRoute(env: Environment): string[] {
  const { plain, secure } = proxiesIn(env);
  const proxies = plain === "" && secure === "" ? ["", "", ""] : [plain, secure, exclusionsIn(env)];
  return [...proxies, ...routeVariables.map((name) => env[name] ?? "")];
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
