import type { Failed } from "../model/outcome.ts";
import type { HttpRequest, HttpResponse } from "../system/network/http.ts";
import type { ChannelTools, ProbeResult } from "./channel-type.ts";

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

/** The URL with these parameters set; what is no URL stays as it is, and the sender says so. */
export function withQuery(url: string, parameters: Readonly<Record<string, string | undefined>>): string {
  if (!URL.canParse(url)) return url;
  const made = new URL(url);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) made.searchParams.set(name, value);
  }
  return made.href;
}

const probeTimeoutMs = 10_000;

/** What a vendor says to a question (or why it cannot be asked) that sends no message: `well` is the detail when all is well, else undefined. */
export async function probeRequest(
  request: HttpRequest | Failed,
  tools: Pick<ChannelTools, "http" | "signal">,
  read: {
    well: (answer: HttpResponse) => string | undefined;
    failure: (answer: HttpResponse) => Failed | undefined;
    /** The settings to look at. */
    fix: string;
  },
): Promise<ProbeResult> {
  if ("status" in request) return { status: "broken", detail: request.detail, fix: read.fix };
  const answer = await tools.http(request, { timeoutMs: probeTimeoutMs, signal: tools.signal });
  if ("failure" in answer) return { status: "broken", detail: answer.detail, fix: `${read.fix}, and the network` };
  const detail = read.well(answer);
  if (detail !== undefined) return { status: "ok", detail };
  return { status: "broken", detail: read.failure(answer)?.detail ?? `answered ${answer.status}`, fix: read.fix };
}
