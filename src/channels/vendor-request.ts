// Builds requests to a vendor, and asks it what `doctor` wants to know.
import type { Failed } from "../model/outcome.ts";
import type { HttpFailure, HttpRequest, HttpResponse } from "../system/network/http.ts";
import type { ChannelTools, ProbeResult } from "./channel-type.ts";

/** An invalid URL stays, and is refused when sent. */
export function serverUrl(server: string, path: string): string {
  if (!URL.canParse(server)) return server;
  const url = new URL(server);
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, "") + path;
  url.hash = "";
  return url.href;
}

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

export function withQuery(url: string, parameters: Readonly<Record<string, string | undefined>>): string {
  if (!URL.canParse(url)) return url;
  const made = new URL(url);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) made.searchParams.set(name, value);
  }
  return made.href;
}

const callTimeoutMs = 10_000;

/** Makes a call beside the sending of messages. `detail` says why there is no answer. */
export async function callVendor(
  request: HttpRequest | Failed,
  { http, signal }: Pick<ChannelTools, "http" | "signal">,
): Promise<HttpResponse | HttpFailure | Failed> {
  return "status" in request ? request : await http(request, { timeoutMs: callTimeoutMs, signal });
}

/** Sends no message. `well` returns the detail when all is well, or what else it found. */
export async function probeRequest(
  request: HttpRequest | Failed,
  tools: Pick<ChannelTools, "http" | "signal">,
  read: {
    well: (answer: HttpResponse) => string | ProbeResult | undefined;
    failure: (answer: HttpResponse) => Failed | undefined;
    fix: string;
  },
): Promise<ProbeResult> {
  const answer = await callVendor(request, tools);
  if ("failure" in answer) return { status: "broken", detail: answer.detail, fix: `${read.fix}, and the network` };
  if ("detail" in answer) return { status: "broken", detail: answer.detail, fix: read.fix };
  const found = read.well(answer);
  if (found !== undefined) return typeof found === "string" ? { status: "ok", detail: found } : found;
  return { status: "broken", detail: read.failure(answer)?.detail ?? `answered ${answer.status}`, fix: read.fix };
}
