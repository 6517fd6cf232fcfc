// Sends one operation to the platform: credential, deadline, retries, and the answer as data or as an error with its fix.
import type * as z from "zod";
import { serverUrl } from "../channels/vendor-request.ts";
import { parseRetryAfter } from "../channels/http-channel.ts";
import { formatDuration } from "../model/duration.ts";
import { exitCodes, UserError } from "../model/errors.ts";
import type { Secret } from "../model/privacy/secret.ts";
import { cut, printableLine } from "../model/text.ts";
import type { Clock, Random } from "../system/clock.ts";
import type { HttpFailure, HttpResponse, SendHttp } from "../system/network/http.ts";
import { endpoints, type OperationId } from "./contract/endpoints.ts";

/** Where the platform is, and who asks. */
export interface PlatformAccess {
  /** The API's address. */
  baseUrl: string | undefined;
  /** The application's address, for readiness reports; the API's if there is none. */
  appUrl: string | undefined;
  apiKey: Secret;
  /** Whether `http://` may leave this machine. */
  allowHttp?: boolean | undefined;
}

export interface PlatformTools {
  http: SendHttp;
  clock: Clock;
  random: Random;
  /** Ends the wait for an answer or for the next try. */
  signal?: AbortSignal | undefined;
}

/** For one try; a month of a large organization's figures takes a service some seconds. */
const attemptTimeoutMs = 30_000;
export const maxAttempts = 4;
/** A service that asks for more patience than this is reported instead. */
const maxRetryWaitMs = 60_000;
const firstBackoffMs = 500;
/** A page of 100 users or a year of days has a few megabytes at most. */
const maxAnswerBytes = 32 * 1024 * 1024;
const maxQuoteLength = 300;

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
  id: OperationId,
  request: OperationRequest = {},
): Promise<unknown> {
  const endpoint = endpoints[id];
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
      { timeoutMs: attemptTimeoutMs, signal },
    );
    if (signal?.aborted) throw new UserError("platform.stopped", "stopped before the service answered");
    if (!("failure" in answer) && answer.status === endpoint.success.status && answer.bodyEnd !== "broken") {
      return readBody(answer, request.body ?? endpoint.success.body, id);
    }
    const waitMs =
      attempt < maxAttempts && isRepeatable(answer, endpoint.method) ? waitOf(answer, attempt, tools) : undefined;
    if (waitMs === undefined || waitMs > maxRetryWaitMs) throw describeRefusal(answer, id, waitMs, access.apiKey);
    await new Promise<void>((resolve) => {
      const cancel = clock.after(waitMs, resolve);
      signal?.addEventListener("abort", () => (cancel(), resolve()), { once: true });
    });
    if (signal?.aborted) throw new UserError("platform.stopped", "stopped before the service answered");
  }
}

function urlOf(access: PlatformAccess, id: OperationId, { pathParameters = {}, query = {} }: OperationRequest): string {
  const endpoint = endpoints[id];
  const host = endpoint.host === "appUrl" ? (access.appUrl ?? access.baseUrl) : access.baseUrl;
  if (host === undefined) {
    throw new UserError("platform.notConfigured", "the platform's address is not set", {
      hint: `set HOOKBELL_PLATFORM_URL, or "platform": { "${endpoint.host}": "https://..." } in the rules file`,
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

function readBody(answer: HttpResponse, schema: z.ZodType, id: OperationId): unknown {
  const problem = (why: string): UserError =>
    new UserError("platform.unexpectedAnswer", `the service's answer to ${pathOf(id)} is not as documented: ${why}`, {
      hint: "check the address of the platform; if it is right, the service has changed and hookbell needs an update",
    });
  if (answer.bodyEnd === "cut") throw problem(`it is larger than ${maxAnswerBytes} bytes; ask for fewer days`);
  const parsed = parseJson(answer.body);
  if (parsed === undefined) throw problem("it is not JSON");
  const result = schema.safeParse(parsed);
  if (result.success) return result.data;
  const [first, ...others] = result.error.issues;
  const place = first === undefined || first.path.length === 0 ? "" : `${first.path.join(".")}: `;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  throw problem(`${printableLine(`${place}${first?.message ?? ""}`)}${more}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pathOf(id: OperationId): string {
  const { method, path } = endpoints[id];
  return `${method} ${path}`;
}

/** What a status means and what to do about it. */
const meanings: Record<number, { code: string; message: string; hint: string }> = {
  400: {
    code: "badRequest",
    message: "the service refused the request",
    hint: "check the dates and the other arguments",
  },
  401: {
    code: "unauthorized",
    message: "the service does not accept the API key",
    hint: 'create a key in the application\'s settings under "API keys", then set HOOKBELL_PLATFORM_KEY or platform.apiKey in the rules file',
  },
  403: {
    code: "forbidden",
    message: "this API key may not read the organization's usage",
    hint: "usage is for the roles Manager and Owner: use a key of such a user, or ask an Owner for the role",
  },
  404: { code: "notFound", message: "the service has nothing there", hint: "check the address of the platform" },
  409: {
    code: "alreadyRunning",
    message: "an install session is already running on this computer",
    hint: "nothing was changed; wait until it ends, then try again",
  },
  429: { code: "rateLimited", message: "the service limits how often it can be asked", hint: "try again later" },
};

function describeRefusal(
  answer: HttpResponse | HttpFailure,
  id: OperationId,
  waitMs: number | undefined,
  apiKey: Secret,
): UserError {
  if ("failure" in answer) return describeFailure(answer, id);
  const { status } = answer;
  const said = readErrorBody(answer.body, apiKey);
  const known = id === "retryInstallDeps" && status === 404 ? missingComputer : meanings[status];
  const meaning = known ?? otherMeaning(status, id);
  const wait = waitMs === undefined || waitMs <= maxRetryWaitMs ? "" : `; it asks to wait ${formatDuration(waitMs)}`;
  const detail = said.detail === undefined ? "" : `: ${said.detail}`;
  const request = said.requestId === undefined ? "" : `, request ${said.requestId}`;
  return new UserError(`platform.${meaning.code}`, `${meaning.message} (${status}${request})${detail}${wait}`, {
    hint: meaning.hint,
    details: { status, ...said },
  });
}

const missingComputer = {
  code: "notFound",
  message: "there is no such computer in your organization",
  hint: "check the computer's id, and that the API key belongs to the same organization",
};

function otherMeaning(status: number, id: OperationId): { code: string; message: string; hint: string } {
  if (status >= 300 && status < 400) {
    return {
      code: "redirected",
      message: "the service redirects to another address",
      hint: "redirects are not followed, since they would get the API key: set the right address of the platform",
    };
  }
  if (status >= 500) {
    const fate = "the install session may have started; look at the computer before you try again";
    const hint = id === "retryInstallDeps" ? fate : "try again later";
    return { code: "serverError", message: "the service failed", hint };
  }
  return { code: "refused", message: "the service refused the request", hint: "check the address of the platform" };
}

function describeFailure({ failure, detail }: HttpFailure, id: OperationId): UserError {
  if (failure === "unknown" && endpoints[id].method === "POST") {
    return new UserError("platform.unknown", `${detail}, so it is not known whether the request was carried out`, {
      hint: "it is not repeated by itself; look at the computer before you try again",
    });
  }
  return new UserError(`platform.${failure}`, detail, { hint: "check the address of the platform and the network" });
}

/**
 * The fields of both documented error bodies, and of similar ones: readiness errors are not documented. A service that
 * repeats the key must not bring it to the screen.
 */
function readErrorBody(body: string, apiKey: Secret): { title?: string; detail?: string; requestId?: string } {
  const parsed = parseJson(body);
  if (typeof parsed !== "object" || parsed === null) return {};
  const fields = new Map<string, unknown>(Object.entries(parsed));
  const textOf = (...names: string[]): string | undefined => {
    const text = names.map((name) => fields.get(name)).find((value) => typeof value === "string" && value !== "");
    return typeof text === "string"
      ? cut(printableLine(text).replaceAll(apiKey.reveal(), "[secret]"), maxQuoteLength)
      : undefined;
  };
  const said = { title: textOf("title"), detail: textOf("detail", "message", "error"), requestId: textOf("requestId") };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
