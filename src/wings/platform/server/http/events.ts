// Takes in events of other machines, as the `webhook` channel sends them, signed with their user's secret.
import type { HonoRequest } from "hono";
import { webhookHeaders } from "../../../../channels/automation/webhook/signature.ts";
import { messageOfIssue } from "../../../../model/errors.ts";
import { isSameDigest } from "../../../../system/crypto.ts";
import type { CountedEvent } from "../analytics/observation.ts";
import { countEvents, whyRefused } from "../store/events.ts";
import { problemsOf } from "../store/reports.ts";
import { operations } from "./operations.ts";
import { type App, routeOf } from "../../../../http-server/served.ts";
import type { KeyGuard } from "./guard.ts";
import type { PlatformParts } from "./parts.ts";
import { HttpProblem } from "../../../../http-server/problems.ts";
import { parseJson } from "../../../../http-server/read-body.ts";

export function addEvents(app: App, parts: PlatformParts, guard: KeyGuard): void {
  const { database, clock, keys } = parts;
  const { path, roles, maxBodyBytes } = operations.receiveEvent;
  app.post(routeOf(path), async (context) => {
    const user = context.req.param("user");
    const key = keys().find(({ name }) => name === user);
    const body = await guard.readText(context, undefined, maxBodyBytes);
    // An unknown user costs the same time as a wrong signature.
    const problem = signatureProblem(context.req, body, key?.signingSecret ?? unknownSecret, clock.now());
    if (key === undefined || problem !== undefined) throw guard.refuse(context, problem ?? "no signature fits");
    guard.limit(key.name);
    if (!roles.includes(key.role)) throw new HttpProblem(403, `the role ${key.role} may not send events`);
    const event = readEvent(body, clock.now());
    countEvents(database, [{ event, user: key.name }]);
    return context.body(null, 204);
  });
}

const unknownSecret = `whsec_${Buffer.alloc(32).toString("base64")}`;

function readEvent(body: string, nowMs: number): CountedEvent {
  const parsed = operations.receiveEvent.body.safeParse(parseJson(body), { error: messageOfIssue });
  if (!parsed.success) throw new HttpProblem(400, problemsOf(parsed.error));
  const event = parsed.data;
  const problem = whyRefused(event, nowMs);
  if (problem !== undefined) throw new HttpProblem(400, problem);
  return event;
}

/** How far a signature's time may be from now: an overheard one is soon worth nothing. */
const toleranceMs = 5 * 60 * 1000;

/** Why the request is not from a holder of the secret; undefined when it is. */
function signatureProblem(
  request: Pick<HonoRequest, "header">,
  body: string,
  secret: string,
  nowMs: number,
): string | undefined {
  const [id, timestamp, signature] = ["id", "timestamp", "signature"].map((name) => request.header(`webhook-${name}`));
  if (id === undefined || timestamp === undefined || signature === undefined) {
    return "the headers webhook-id, webhook-timestamp and webhook-signature are required";
  }
  const signedMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN;
  if (!(Math.abs(nowMs - signedMs) <= toleranceMs)) return "webhook-timestamp is more than 5 minutes away from now";
  const expected = webhookHeaders(id, signedMs, body, [secret])["webhook-signature"] ?? "";
  const isGood = signature.split(" ").some((each) => isSameDigest(each, expected));
  return isGood ? undefined : "no signature fits";
}
