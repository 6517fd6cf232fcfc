// PagerDuty: an incident for each session, through the Events API v2.
import * as z from "zod";
import { UserError } from "../../../model/errors.ts";
import { delivered, failed } from "../../../model/outcome.ts";
import type { Resolved } from "../../../model/privacy/secret.ts";
import type { HttpRequest } from "../../../system/network/http.ts";
import { defineHttpChannel, quote } from "../../http-channel.ts";
import { ourBug, readJsonSuccess, withQuote } from "../../vendor-answer.ts";
import { dedupKey, maxDetails, maxFields, maxName, maxSummary, toPagerdutyEvent } from "./message.ts";
import { jsonPost, serverUrl } from "../../vendor-request.ts";
import { allowHttpSetting, secretSetting, urlSetting } from "../../settings.ts";
import { lifetimeMs } from "../../channel-type.ts";

const docs = "https://developer.pagerduty.com/docs/events-api-v2-overview";
const vendorServer = "https://events.pagerduty.com";
/** The user has just answered. */
const retractTimeoutMs = 5000;

const settings = z.strictObject({
  routingKey: secretSetting("The integration key of an Events API v2 integration, 32 characters", keyProblem),
  server: urlSetting(
    `The service's URL; default: ${vendorServer}, https://events.eu.pagerduty.com in the EU`,
  ).optional(),
  allowHttp: allowHttpSetting(),
});
type Settings = z.output<typeof settings>;

/** `attention` and `error` open the session's incident; `info`, `success` and the next prompt resolve it. */
export const pagerduty = defineHttpChannel<Settings>({
  docs,
  settings,
  isShared: true,
  limits: [
    {
      what: "summary",
      most: maxSummary,
      unit: "codePoints",
      source: "https://developer.pagerduty.com/docs/send-alert-event",
    },
    { what: "message among the details", most: maxDetails, unit: "codePoints", source: "ours" },
    { what: "every other text", most: maxName, unit: "codePoints", source: "ours" },
    { what: "fields", most: maxFields, unit: "items", source: "ours" },
  ],
  // An incident must be resolved even the next morning.
  expiresAfterMs: lifetimeMs.day,
  // 120 a minute for each key: https://github.com/PagerDuty/developer-docs, docs/events-API-v2/05-Rate-Limits.md. Half of
  // them at once and one every second never exceed that.
  rate: { messages: 60, perMs: 60_000 },
  // Each message opens or ends its own incident.
  summaryFrom: undefined,
  // The same dedup_key again changes nothing.
  isRepeatHarmless: true,
  isUnfitForNotices: true,
  isForPrograms: true,
  request({ settings, message, event }) {
    const problem = keyProblem(settings.routingKey.reveal());
    return problem === undefined ? toRequest(settings, toPagerdutyEvent(message, event)) : failed("rejected", problem);
  },
  readSuccess(response, { message, event }) {
    const outcome = readJsonSuccess(response, "PagerDuty", ({ status }) => status === "success");
    if (outcome.status === "failed") return outcome;
    const { event_action } = toPagerdutyEvent(message, event);
    const said = event_action === "trigger" ? "the incident is open" : "the session's incident, if any, is resolved";
    const remember: Record<string, string> = event_action === "trigger" ? { dedupKey: dedupKey(event) } : {};
    return delivered({ detail: `answered ${response.status}: ${said}`, remember });
  },
  readFailure({ status, body }) {
    if (status !== 400) return undefined;
    const said = quote(body);
    if (/routing.?key/i.test(said)) {
      return failed(
        "unauthorized",
        "PagerDuty answered 400: it does not know the integration key; set the service's own",
      );
    }
    return failed("rejected", withQuote(`PagerDuty answered 400: ${ourBug}`, said));
  },
  async retract(settings, { dedupKey }, { http, signal }) {
    if (dedupKey === undefined) return;
    const request = toRequest(settings, { dedup_key: dedupKey, event_action: "resolve" });
    const answer = await http(request, { timeoutMs: retractTimeoutMs, signal });
    if ("status" in answer && answer.status < 300) return;
    const why = "failure" in answer ? answer.failure : `answered ${answer.status}`;
    throw new UserError("pagerdutyUnresolved", `PagerDuty did not resolve the session's incident: ${why}`);
  },
});

function toRequest({ routingKey, server, allowHttp }: Resolved<Settings>, event: object): HttpRequest {
  const url = serverUrl(server?.reveal() ?? vendorServer, "/v2/enqueue");
  return jsonPost(url, allowHttp, { routing_key: routingKey.reveal(), ...event });
}

function keyProblem(key: string): string | undefined {
  return /^[A-Za-z0-9]{32}$/.test(key)
    ? undefined
    : "the integration key must have 32 letters and digits, as the service's Events API v2 integration shows it";
}
