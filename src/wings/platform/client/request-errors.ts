// What went wrong with a request, and what to do.
import { formatDuration } from "../../../model/figures/duration.ts";
import { UserError } from "../../../model/errors.ts";
import type { Secret } from "../../../model/privacy/secret.ts";
import { isLoopback } from "../../../system/network/destination.ts";
import type { HttpFailure, HttpResponse } from "../../../system/network/http.ts";
import { isUsage, type RequestId, requests } from "../contract/endpoints.ts";
import { readErrorBody } from "./error-body.ts";

/** An answer that is more than this client reads at once. */
export function tooLargeAnswer(id: RequestId, maxBytes: number): UserError {
  const less = id === "getTokens" ? "hookbell usage tokens --group-by model leaves out the users" : "ask for less";
  const { method, path } = requests[id];
  return new UserError(tooLarge, `the answer to ${method} ${path} is larger than ${maxBytes / 1024 / 1024} MiB`, {
    hint: `even of a single day; ${less}`,
  });
}

/** The code of that error. */
export const tooLarge = "platform.tooLarge";

/** An answer with a status of success that is not as documented. */
export function unexpectedAnswer(id: RequestId, why: string): UserError {
  const { method, path } = requests[id];
  const isAccepted = method === "POST";
  return new UserError("platform.unexpectedAnswer", `unexpected answer to ${method} ${path}: ${why}`, {
    hint: isAccepted
      ? "the service has accepted the request; look at the computer before you try again"
      : "check the address of the platform; if it is right, the service has changed and hookbell needs an update",
    ...(isAccepted ? { details: { isAccepted } } : {}),
  });
}

interface Meaning {
  code: string;
  message: string;
  hint: string;
}

/** What a status means and what to do about it. */
const meanings: Record<number, Meaning> = {
  401: {
    code: "unauthorized",
    message: "the service does not accept the API key",
    hint: 'create a key in the application\'s settings under "API keys" (on a server of your own: hookbell keys add NAME --role manager), then set HOOKBELL_PLATFORM_KEY or platform.apiKey in the rules file',
  },
  403: {
    code: "forbidden",
    message: "this API key may not read the organization's usage",
    hint: "usage is for the roles Manager and Owner: use a key of such a user, or ask an Owner for the role",
  },
  404: { code: "notFound", message: "not found", hint: "check the address of the platform" },
  409: {
    code: "alreadyRunning",
    message: "an install session is already running on this computer",
    hint: "nothing was changed; wait until it ends, then try again",
  },
  429: { code: "rateLimited", message: "the service's rate limit is reached", hint: "try again later" },
};

interface Refused {
  url: string;
  apiKey: Secret;
  /** How long the service asks to wait, if that is too long. */
  waitMs: number;
}

export function describeRefusal(
  answer: HttpResponse | HttpFailure,
  id: RequestId,
  { url, apiKey, waitMs }: Refused,
): UserError {
  if ("failure" in answer) return describeFailure(answer, id, url);
  const { status } = answer;
  const said = readErrorBody(answer.body, apiKey);
  const meaning = meaningOf(status, id);
  const wait = waitMs === 0 ? "" : `; it asks to wait ${formatDuration(waitMs)}`;
  const detail = said.detail === undefined ? "" : `: ${said.detail}`;
  const request = said.requestId === undefined ? "" : `, request ${said.requestId}`;
  return new UserError(`platform.${meaning.code}`, `${meaning.message} (${status}${request})${detail}${wait}`, {
    hint: meaning.hint,
    details: { status, ...said },
  });
}

function meaningOf(status: number, id: RequestId): Meaning {
  if (status === 404 && id === "retryInstallDeps") {
    return {
      code: "notFound",
      message: "there is no such computer in your organization",
      hint: "check the computer's id, and that the API key belongs to the same organization",
    };
  }
  if (status === 404 && id === "listComputers") {
    return {
      code: "notFound",
      message: "this platform lists no computers",
      hint: "only a server of your own does (hookbell serve); look at those of Factory's platform in its application",
    };
  }
  if (status === 403 && !isUsage(id)) {
    return { code: "forbidden", message: "this API key may not do this", hint: "use the key of a user who may" };
  }
  if (status === 400) {
    return { code: "badRequest", message: "the service refused the request", hint: hintOfBadRequest(id) };
  }
  const known = meanings[status];
  if (known !== undefined) return known;
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
  const message = status < 300 ? "the service answered with an unexpected status" : "the service refused the request";
  return { code: "refused", message, hint: "check the address of the platform" };
}

/** The client has refused what the document forbids, so it is something else. */
function hintOfBadRequest(id: RequestId): string {
  if (id === "retryInstallDeps") return "check the computer's id; the document does not say what else is refused";
  if (id === "listReadinessReports") return "check --repo-id and --limit";
  return "check the dates and the other arguments";
}

function describeFailure({ failure, detail }: HttpFailure, id: RequestId, url: string): UserError {
  if (failure === "unknown" && requests[id].method === "POST") {
    return new UserError("platform.unknown", `${detail}, so it is not known whether the request was carried out`, {
      hint: "it is not repeated by itself; look at the computer before you try again",
    });
  }
  const isOwn = failure !== "rejected" && isLoopback(new URL(url));
  return new UserError(`platform.${failure}`, detail, {
    hint: isOwn
      ? "is your own server running? To start it: hookbell serve"
      : "check the address of the platform and the network",
  });
}
