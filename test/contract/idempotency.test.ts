// A channel says that a repeat is harmless only where the vendor is handed something to know the repeat by.
import { describe, expect, it } from "vitest";
import { channelTypes } from "../../src/channels/all.ts";
import type { HttpRequest } from "../../src/system/network/http.ts";
import { resolveSecrets } from "../../src/system/secrets.ts";
import { systemClock } from "../../src/system/clock.ts";
import { localRequest, localTools } from "../support/channels/channel-request.ts";
import { httpSamples } from "./channel-samples.ts";

const bodyOf = ({ body = "{}" }: HttpRequest) => JSON.parse(body) as Record<string, unknown>;

/** Where each vendor's key is; whoever has none here is never asked twice for what may have arrived. */
const keys: Readonly<Record<string, (request: HttpRequest) => unknown>> = {
  // https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create
  "google-chat": ({ url }) => new URL(url).searchParams.get("requestId"),
  // https://spec.matrix.org/latest/client-server-api/#transaction-identifiers
  matrix: ({ url }) => url.split("/").at(-1),
  // https://docs.ntfy.sh/publish/#updating-deleting-notifications
  ntfy: (request) => bodyOf(request).sequence_id,
  // https://developer.pagerduty.com/docs/send-alert-event: the session's, whose incident it opens or ends.
  pagerduty: (request) => bodyOf(request).dedup_key,
  // https://bark.day.app/#/en-us/tutorial
  bark: (request) => bodyOf(request).id,
  // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
  webhook: ({ headers }) => headers?.["webhook-id"],
};

async function requestOf(type: string, deliveryId: string, attempt: number): Promise<HttpRequest> {
  const channel = channelTypes.find((candidate) => candidate.type === type);
  const sample = httpSamples[type];
  const settings = await resolveSecrets(
    channel?.settings.parse(sample?.settings("https://receiver.example")),
    {},
    "/nowhere",
  );
  const made: HttpRequest[] = [];
  const tools = localTools({}, "/nowhere", {
    // A later attempt is made at a later time.
    clock: { ...systemClock, now: () => Date.UTC(2026, 10, 21, 12, attempt) },
    http: (request) => {
      made.push(request);
      return Promise.resolve({ status: 200, headers: {}, body: sample?.okBody ?? "" });
    },
  });
  await channel?.send({ ...localRequest({ level: "error" }, settings), deliveryId, attempt }, tools);
  return made.at(-1) as HttpRequest;
}

describe("the idempotency key", () => {
  it("is there for every HTTP channel that may be repeated, and for no other", () => {
    const harmless = channelTypes.filter(({ type, isRepeatHarmless }) => isRepeatHarmless && type in httpSamples);
    expect(harmless.map(({ type }) => type).sort()).toEqual(Object.keys(keys).sort());
  });

  it.each(Object.entries(keys))("of %s is the same on every attempt, as is the rest", async (type, keyIn) => {
    const [first, second] = [await requestOf(type, "msg_1", 1), await requestOf(type, "msg_1", 2)];
    expect(keyIn(first)).toMatch(/^(msg_1|hookbell-[0-9a-f]{32})$/);
    expect(keyIn(second)).toBe(keyIn(first));
    // Google returns the first message for the same id; a vendor that compared the two would refuse a changed one.
    expect([second.url, second.body]).toEqual([first.url, first.body]);
  });

  it.each(Object.entries(keys).filter(([type]) => type !== "pagerduty"))(
    "of %s is another for another delivery",
    async (type, keyIn) => {
      expect(keyIn(await requestOf(type, "msg_2", 1))).toBe("msg_2");
    },
  );
});
