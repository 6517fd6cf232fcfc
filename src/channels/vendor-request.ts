import type { HttpRequest } from "../system/network/http.ts";

/** The path below a server's address, which may itself have a path; what is no URL stays so and is refused when sent. */
export function serverUrl(server: string, path: string): string {
  if (!URL.canParse(server)) return server;
  const url = new URL(server);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  url.hash = "";
  return url.href;
}

/** A POST of JSON. */
export function jsonPost(
  url: string,
  isPlainHttpAllowed: boolean | undefined,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): HttpRequest {
  return {
    method: "POST",
    url,
    isPlainHttpAllowed,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(body),
  };
}
