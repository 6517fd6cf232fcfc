// Reads the URL of a mail server.
import { domainToASCII } from "node:url";
import { percentDecoded } from "../../model/text.ts";

export interface SmtpServer {
  host: string;
  port: number;
  encryption: "implicit" | "startTls" | "none";
  login: { user: string; pass: string } | undefined;
}

/** https://www.rfc-editor.org/rfc/rfc8314#section-7.3 */
const implicitTlsPort = 465;
const submissionPort = 587;

const forms = "smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587";
const escapes = "write @ : / ? # % in the user or the password as %40 %3A %2F %3F %23 %25";

/** What the settings beside the URL say of it. */
export interface BesideUrl {
  withoutTls: "loopback" | undefined;
  /** Tokens stand in for the password. */
  hasTokens?: boolean;
}

/** Never quotes the URL. */
export function parseSmtpUrl(text: string, { withoutTls, hasTokens = false }: BesideUrl): SmtpServer | string {
  if (!/^smtps?:\/\//i.test(text) || !URL.canParse(text)) return `expected a URL such as ${forms}; ${escapes}`;
  const url = new URL(text);
  if (url.search !== "" || url.hash !== "" || !["", "/"].includes(url.pathname)) {
    return `expected nothing after the host and port of the URL; ${escapes}`;
  }
  const user = decode(url.username);
  const pass = decode(url.password);
  if (user === undefined || pass === undefined) return `the user or the password is not percent-encoded; ${escapes}`;
  if (hasTokens && (user === "" || pass !== "")) return 'with "oauth", the URL has a user and no password';
  if (!hasTokens && (user === "") !== (pass === ""))
    return `expected both a user and a password in the URL, or neither; ${escapes}`;
  const host = readHost(url.hostname);
  if (host === undefined) return `expected a host name or an IP address in the URL; ${escapes}`;
  const isImplicit = url.protocol === "smtps:";
  const port = url.port === "" ? (isImplicit ? implicitTlsPort : submissionPort) : Number(url.port);
  if (port === 0) return "expected a port from 1 to 65535 in the URL";
  if (port === implicitTlsPort && !isImplicit) return "port 465 is encrypted from the start: write smtps:// in the URL";
  const login = user === "" ? undefined : { user, pass };
  if (isImplicit) return { host, port, encryption: "implicit", login };
  if (withoutTls === undefined) return { host, port, encryption: "startTls", login };
  if (!isLoopback(host)) {
    return `"withoutTls": "loopback" is only for a server on this machine (localhost, 127.0.0.1 or [::1]); remove it`;
  }
  return { host, port, encryption: "none", login };
}

function decode(text: string): string | undefined {
  const decoded = percentDecoded(text);
  // SASL PLAIN separates its fields with NUL; other controls are a mistake.
  return decoded === undefined || /\p{Cc}/u.test(decoded) ? undefined : decoded;
}

function readHost(hostname: string): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  const host = decode(hostname);
  return host === undefined ? undefined : domainToASCII(host) || undefined;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** https://developers.google.com/identity/protocols/oauth2/native-app, https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow */
const tokenUrls: readonly (readonly [hosts: RegExp, url: string])[] = [
  [/(?:^|\.)(?:gmail|googlemail|google)\.com$/, "https://oauth2.googleapis.com/token"],
  [/(?:^|\.)(?:office365|outlook|hotmail)\.com$/, "https://login.microsoftonline.com/common/oauth2/v2.0/token"],
];

/** Where the access tokens of the server's provider come from. */
export function tokenUrlOf(host: string): string | undefined {
  return tokenUrls.find(([hosts]) => hosts.test(host.toLowerCase()))?.[1];
}
