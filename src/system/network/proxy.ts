// Finds the proxy for a request in the environment, as curl does: https://everything.curl.dev/usingcurl/proxies/env.html
import { isIP } from "node:net";
import type { Environment } from "../environment.ts";
import { isLoopback } from "./destination.ts";
import { percentDecoded } from "../../model/text.ts";

/** Why a proxy is "invalid". */
export const wantedProxy = "HTTP_PROXY, HTTPS_PROXY or ALL_PROXY does not hold the URL of an HTTP proxy";

export function proxyFor(url: URL, env: Environment): URL | "invalid" | undefined {
  // The proxy would look for a local address on its own machine.
  if (isLoopback(url) || isExcluded(url, exclusionsIn(env))) return undefined;
  const { plain, secure } = proxiesIn(env);
  const value = url.protocol === "https:" ? secure : plain;
  if (value === "") return undefined;
  // Like curl, accepts `proxy.example:3128`.
  const text = value.includes("://") ? value : `http://${value}`;
  if (!URL.canParse(text)) return "invalid";
  const proxy = new URL(text);
  const isHttp = proxy.protocol === "http:" || proxy.protocol === "https:";
  return isHttp && percentDecoded(proxy.username + proxy.password) !== undefined ? proxy : "invalid";
}

/** An empty variable counts as none. Unlike curl, HTTP_PROXY counts, and serves https where no other variable is set. */
function proxiesIn(env: Environment): { plain: string; secure: string } {
  const all = env.all_proxy || env.ALL_PROXY || "";
  const plain = env.http_proxy || env.HTTP_PROXY || "";
  const secure = env.https_proxy || env.HTTPS_PROXY || "";
  return { plain: plain || all, secure: secure || all || plain };
}

function exclusionsIn(env: Environment): string {
  return env.no_proxy || env.NO_PROXY || "";
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

/**
 * `corp.test` and `.corp.test` are that host and its subdomains, `10.0.0.0/8` a network, `*` every host. Unlike curl, takes
 * `*.corp.test`, and `corp.test:8080` for one port.
 */
function isExcluded(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = entry, ownPort = port] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
      return ownPort === port && covers(name.replace(/^\[|\]$|\.$/g, ""), host);
    });
}

function covers(name: string, host: string): boolean {
  if (name === "" || name === "*") return name === "*";
  if (isIP(host) !== 0) return isInNetwork(host, name);
  const domain = name.replace(/^\*?\./, "");
  return host === domain || host.endsWith(`.${domain}`);
}

/** `network` is an address, or one with the number of bits that count. */
function isInNetwork(address: string, network: string): boolean {
  const [start = "", bits] = network.split("/");
  const family = isIP(start) === 6 ? "ipv6" : "ipv4";
  const most = family === "ipv6" ? 128 : 32;
  const counted = bits === undefined ? most : Number(bits);
  if (isIP(start) !== isIP(address) || !Number.isInteger(counted) || counted > most) return false;
  const { BlockList } = process.getBuiltinModule("node:net");
  const addresses = new BlockList();
  addresses.addSubnet(start, counted, family);
  return addresses.check(address, family);
}
