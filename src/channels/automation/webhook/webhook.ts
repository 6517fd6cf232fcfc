// Webhooks: any receiver of JSON.
import * as z from "zod";
import { failed } from "../../../model/outcome.ts";
import type { Secret, SecretSource } from "../../../model/privacy/secret.ts";
import { connectionHeaders } from "../../../system/network/destination.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import { maxPayloadBytes, maxText } from "../program-message.ts";
import { allowHttpSetting, headersSetting, secretSetting, urlSetting } from "../../settings.ts";
import { signingSecretProblem, webhookHeaders } from "./signature.ts";
import { cloudEventHeaders, maxAttribute, webhookBody, webhookFormats } from "./message.ts";
import { lifetimeMs } from "../../channel-type.ts";

const ownHeaders = new Set<string>([
  "content-type",
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
  ...cloudEventHeaders,
]);

const signingSecret = secretSetting(
  "A signing secret: whsec_ and 24 to 64 random bytes as base64",
  signingSecretProblem,
);

const settings = z.strictObject({
  url: urlSetting("Where to send to, https://..."),
  allowHttp: allowHttpSetting(),
  method: z.enum(["POST", "PUT"]).optional().describe("Default: POST"),
  secret: z
    .union([signingSecret, z.array(signingSecret).min(1)])
    .optional()
    .describe("Signs the message; several while the receiver changes from one secret to the next"),
  headers: headersSetting("Extra headers, such as Authorization").superRefine(checkHeaders).optional(),
  format: z
    .enum(webhookFormats)
    .optional()
    .describe(
      '"standard" (default): Standard Webhooks; "cloudevents": CloudEvents 1.0, all in the body; "cloudevents-binary": its attributes as headers',
    ),
  payload: z
    .boolean()
    .optional()
    .describe("Send the agent's own payload as well, which may contain code and file names"),
});

export const webhook = defineHttpChannel({
  docs: "https://www.standardwebhooks.com/",
  settings,
  limits: [
    { what: "title, body and every other text", most: maxText, unit: "codePoints", source: "ours" },
    { what: "one attribute of a CloudEvent", most: maxAttribute, unit: "codePoints", source: "ours" },
    { what: "the agent's payload", most: maxPayloadBytes, unit: "bytes", source: "ours" },
  ],
  expiresAfterMs: lifetimeMs.day,
  summaryFrom: undefined,
  // webhook-id is the idempotency key.
  isRepeatHarmless: true,
  passesPayload: true,
  isUnfitForNotices: true,
  isForPrograms: true,
  request(request, { clock }) {
    const { settings, deliveryId } = request;
    const format = settings.format ?? "standard";
    const secrets = [settings.secret ?? []].flat().map((secret) => secret.reveal());
    const problem = secrets.map(signingSecretProblem).find((found) => found !== undefined);
    if (problem !== undefined) return failed("rejected", problem);
    const { headers, body } = webhookBody(request, format, settings.payload ?? false);
    return {
      method: settings.method ?? "POST",
      url: settings.url.reveal(),
      isPlainHttpAllowed: settings.allowHttp,
      headers: {
        ...revealAll(settings.headers ?? {}),
        ...headers,
        ...webhookHeaders(deliveryId, clock.now(), body, secrets),
      },
      body,
    };
  },
});

/** Names become lower case, so that no header is sent twice. */
function revealAll(headers: Readonly<Record<string, Secret>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.reveal()]));
}

function checkHeaders(headers: Record<string, SecretSource>, context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const name of Object.keys(headers)) {
    const key = name.toLowerCase();
    const problem =
      ownHeaders.has(key) || connectionHeaders.has(key)
        ? "hookbell sets this header itself"
        : seen.has(key) && "this header is there twice";
    seen.add(key);
    if (problem) context.addIssue({ code: "custom", message: problem, path: [name] });
  }
}
