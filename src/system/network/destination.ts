// Checks a request's URL and headers before anything is sent.
import type { HttpFailure, HttpRequest } from "./http.ts";
import { isPrivateAddress, privateAddressProblem } from "./public-address.ts";

/** These headers belong to the connection or follow from the body. */
export const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110 section 5.5. */
const headerValue = /^[\t\u0020-\u007E\u0080-\u00FF]*$/;

export function isLoopback(url: URL): boolean {
  const host = url.hostname.replace(/\.$/, "");
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "[::1]" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
  );
}

/** The problem never quotes the URL, since it is a secret. */
export function urlProblem(text: string): string | undefined {
  if (/^[\s"'<]|[\s"'>]$/.test(text)) return "is surrounded by a blank, a quotation mark or a bracket; remove it";
  if (/^(localhost|127(\.\d{1,3}){3})(:\d+)?(\/|\?|$)/.test(text)) return "has no scheme; add http:// in front";
  if (/^[\w-]+(\.[\w-]+)+(:\d+)?(\/|\?|$)/.test(text)) return "has no scheme; add https:// in front";
  if (!URL.canParse(text)) return "is invalid; expected one that starts with https://";
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return "must start with https://, or http:// for this machine";
  if (url.username !== "" || url.password !== "") {
    return "must not contain a user name or password; put them into a header where the channel has one";
  }
  return undefined;
}

export function readDestination(request: HttpRequest): URL | HttpFailure {
  const reject = (detail: string): HttpFailure => ({ failure: "rejected", detail });
  const problem = urlProblem(request.url);
  if (problem !== undefined) return reject(`the URL ${problem}`);
  const url = new URL(request.url);
  if (request.isPublicOnly === true) {
    if (url.protocol !== "https:") return reject(`${url.origin} must be asked over https://`);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isLoopback(url) || isPrivateAddress(host)) return reject(`${url.origin} ${privateAddressProblem}`);
  }
  if (url.protocol === "http:" && !isLoopback(url) && request.isPlainHttpAllowed !== true) {
    return reject(
      `${url.origin} would get the message unencrypted; use https://, or "allowHttp": true for a receiver in your own network`,
    );
  }
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (!headerName.test(name)) return reject("a header's name has characters that a header name cannot have");
    if (connectionHeaders.has(name.toLowerCase())) return reject(`the header ${name} cannot be set by hand`);
    if (!headerValue.test(value)) {
      return reject(`the value of the header ${name} has a line break or another character that a header cannot carry`);
    }
  }
  return url;
}
