// What a Matrix homeserver's errors mean.
import { failed, type Failed, type FailureReason } from "../../../model/outcome.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { maxRetryAfterMs } from "../../http-channel.ts";
import { meaningOf, ourBug } from "../../vendor-answer.ts";
import { objectIn } from "../../../model/json.ts";

const newToken = "log in again and set the new access token";
const wrongServer = "this is not a Matrix homeserver's address; set the one that the account's server name leads to";

/** https://spec.matrix.org/latest/client-server-api/#standard-error-response */
const matrixErrors: Record<string, readonly [FailureReason, string]> = {
  M_LIMIT_EXCEEDED: ["rateLimited", "too many messages"],
  M_RESOURCE_LIMIT_EXCEEDED: ["serverError", "the homeserver has reached one of its limits; ask its administrator"],
  M_UNKNOWN_TOKEN: ["unauthorized", `the access token is not valid any more; ${newToken}`],
  M_MISSING_TOKEN: ["unauthorized", `the access token did not arrive; ${newToken}`],
  M_FORBIDDEN: [
    "unauthorized",
    "the account may not write into this room; invite it, let it join, and check its rights",
  ],
  M_GUEST_ACCESS_FORBIDDEN: ["unauthorized", "guests may not write into this room; use an account"],
  M_USER_DEACTIVATED: ["unauthorized", "the account was deactivated; use another one"],
  M_USER_LOCKED: ["unauthorized", "the account is locked; ask the homeserver's administrator"],
  M_USER_SUSPENDED: ["unauthorized", "the account is suspended; ask the homeserver's administrator"],
  M_CONSENT_NOT_GIVEN: ["unauthorized", "the homeserver wants its terms accepted; log in with the account and do so"],
  M_NOT_FOUND: ["gone", "the homeserver does not know this room; set the id of a room that the account has joined"],
  M_UNRECOGNIZED: ["rejected", wrongServer],
  M_TOO_LARGE: ["rejected", ourBug],
  M_BAD_JSON: ["rejected", ourBug],
  M_NOT_JSON: ["rejected", ourBug],
  M_INVALID_PARAM: ["rejected", "the room's id is not one; copy it from the room's settings"],
};

export function readMatrixError(response: HttpResponse): Failed | undefined {
  const { errcode, retry_after_ms: retryAfterMs } = objectIn(response.body);
  const known = meaningOf(matrixErrors, errcode);
  if (known === undefined) return undefined;
  const [reason, fix] = known;
  const detail = `the homeserver answered ${response.status} ${String(errcode)}: ${fix}`;
  // Deprecated; older servers send only this.
  const isOld = response.headers["retry-after"] === undefined && typeof retryAfterMs === "number";
  return reason === "rateLimited" && isOld
    ? failed(reason, detail, Math.min(Math.max(0, Math.ceil(retryAfterMs)), maxRetryAfterMs))
    : failed(reason, detail);
}
