// Sends one operation to the platform, with credential, deadline and retries.
import type * as z from "zod";
import { serverUrl } from "../../../channels/vendor-request.ts";
import { parseRetryAfter } from "../../../channels/http-channel.ts";
import { exitCodes, UserError } from "../../../model/errors.ts";
import type { Secret } from "../../../model/privacy/secret.ts";
import { type Clock, type Random, sleep } from "../../../system/clock.ts";
import { urlProblem } from "../../../system/network/destination.ts";
import { platformVariables } from "../../../wing-settings/platform.ts";
import type { HttpFailure, HttpResponse, SendHttp } from "../../../system/network/http.ts";
import { isUsage, type RequestId, requests } from "../contract/endpoints.ts";
import { readAnswer } from "./read-answer.ts";
import { describeRefusal, tooLargeAnswer, unexpectedAnswer } from "./request-errors.ts";
import { parseJson } from "../../../model/json.ts";

/** Where the platform is, and who asks. */
export interface PlatformAccess {
  /** The API's address. */
  baseUrl: string | undefined;
  /** The application's address, for readiness reports; the API's if there is none. */
  appUrl: string | undefined;
  apiKey: Secret;
  /** The only addresses to whose hosts the key goes; undefined for one that was set for whatever address is used. */
  keyIsFor?: readonly string[] | undefined;
  /** Whether `http://` may leave this machine. */
  allowHttp?: boolean | undefined;
}

export interface PlatformTools {
  http: SendHttp;
  clock: Clock;
  random: Random;
  /** Ends the wait for an answer or for the next try. */
  signal?: AbortSignal | undefined;
  /** Hears, as one line, of what in an answer differs from the document and was read all the same. */
  onNote?: ((text: string) => void) | undefined;
}

const attemptTimeoutMs = 30_000;
export const maxAttempts = 4;
/** A service that asks for more patience than this is reported instead. */
const maxRetryWaitMs = 60_000;
const firstBackoffMs = 500;
const maxAnswerBytes = 32 * 1024 * 1024;

export interface OperationRequest {
  pathParameters?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | undefined>>;
  /** The shape of the answer, where it is not the operation's usual one. */
  body?: z.ZodType;
}

/** The parsed answer. Throws a `UserError` whose code starts with `platform.`. */
export async function sendOperation(
  access: PlatformAccess,
  tools: PlatformTools,
  id: RequestId,
  request: OperationRequest = {},
): Promise<unknown> {
  const endpoint = requests[id];
  const url = urlOf(access, id, request);
  const { clock, signal } = tools;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await tools.http(
      {
        method: endpoint.method,
        url,
        headers: { accept: "application/json", authorization: `Bearer ${access.apiKey.reveal()}` },
        isPlainHttpAllowed: access.allowHttp,
        maxResponseBytes: maxAnswerBytes,
      },
      // A long list comes page by page. A GET may be repeated.
      { timeoutMs: attemptTimeoutMs, signal, keepsConnection: endpoint.method === "GET" },
    );
    if (signal?.aborted) throw new UserError("platform.stopped", "stopped before the service answered");
    const isRepeated = attempt < maxAttempts && isRepeatable(answer, endpoint.method);
    const waitMs = isRepeated ? waitOf(answer, attempt, tools) : 0;
    if (!isRepeated || waitMs > maxRetryWaitMs) {
      if (!("failure" in answer) && answer.status === endpoint.success.status) {
        return readBody(answer, request.body ?? endpoint.success.body, id, tools);
      }
      throw describeRefusal(answer, id, { url, apiKey: access.apiKey, waitMs });
    }
    await sleep(clock, waitMs, signal);
    if (signal?.aborted) throw new UserError("platform.stopped", "stopped before the service answered");
  }
}

function urlOf(access: PlatformAccess, id: RequestId, { pathParameters = {}, query = {} }: OperationRequest): string {
  const endpoint = requests[id];
  const host = endpoint.host === "appUrl" ? (access.appUrl ?? access.baseUrl) : access.baseUrl;
  if (host === undefined) {
    throw new UserError("platform.notConfigured", "the platform's address is not set", {
      hint: `set HOOKBELL_PLATFORM_URL, or "platform": { "${endpoint.host}": "https://..." } in the rules file`,
      exitCode: exitCodes.usage,
    });
  }
  // What is put together from it would have another problem.
  const problem = urlProblem(host);
  if (problem !== undefined) {
    throw new UserError("platform.rejected", `the platform's address ${problem}`, {
      hint: `it comes from ${platformVariables[endpoint.host]}, or from "platform" in the rules file`,
      exitCode: exitCodes.usage,
    });
  }
  if (access.keyIsFor !== undefined && !access.keyIsFor.some((url) => originOf(url) === originOf(host))) {
    throw new UserError("platform.notSent", `the API key of the rules file is not for ${originOf(host) ?? host}`, {
      hint: `the file names ${access.keyIsFor.join(" and ")}; set HOOKBELL_PLATFORM_KEY for the other address`,
      exitCode: exitCodes.usage,
    });
  }
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathParameters[name] ?? ""));
  const url = serverUrl(host, path);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? url : `${url}?${search.toString()}`;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** A POST is sent again only if the service has certainly not acted on it. */
function isRepeatable(answer: HttpResponse | HttpFailure, method: "GET" | "POST"): boolean {
  if ("failure" in answer) {
    return (
      answer.failure === "network" || answer.failure === "timeout" || (answer.failure === "unknown" && method === "GET")
    );
  }
  if (answer.status === 429) return true;
  if (method === "POST") return false;
  return answer.status === 408 || answer.status >= 500 || answer.bodyEnd === "broken";
}

function waitOf(answer: HttpResponse | HttpFailure, attempt: number, { clock, random }: PlatformTools): number {
  const backoffMs = firstBackoffMs * 2 ** (attempt - 1) * (0.5 + random() / 2);
  if ("failure" in answer) return backoffMs;
  const askedMs = parseRetryAfter(answer.headers["retry-after"], answer.headers.date, clock.now());
  return Math.max(backoffMs, askedMs ?? 0);
}

function readBody(answer: HttpResponse, schema: z.ZodType, id: RequestId, { onNote }: PlatformTools): unknown {
  const problem = (why: string): UserError => unexpectedAnswer(id, why);
  if (answer.bodyEnd === "broken") throw problem("it broke off");
  if (answer.bodyEnd === "cut") throw tooLargeAnswer(id, maxAnswerBytes);
  const parsed = parseJson(answer.body);
  if (parsed === undefined) throw problem("it is not JSON");
  const read = readAnswer(parsed, schema, isUsage(id) ? "figures" : "records");
  if ("problem" in read) throw problem(read.problem);
  for (const note of read.notes) onNote?.(`the service's answer differs from its document: ${note}`);
  return read.value;
}
