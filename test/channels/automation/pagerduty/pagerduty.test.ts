import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { dedupKey, maxSummary } from "../../../../src/channels/automation/pagerduty/message.ts";
import { pagerduty } from "../../../../src/channels/automation/pagerduty/pagerduty.ts";
import { measures } from "../../../../src/model/text.ts";
import type { HttpFailure, HttpRequest, HttpResponse } from "../../../../src/system/network/http.ts";
import { resolveSecrets } from "../../../../src/system/secrets.ts";
import { localTools } from "../../../support/channels/channel-request.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { expectPlain, push, textsIn, verdict } from "../../../support/channels/pushed.ts";
import { levels } from "../../../../src/model/level.ts";
import { everyRow } from "../../../support/rows.ts";

const routingKey = "s3cretRoutingKeyOfPagerDuty00001";
const settings = { routingKey };
const taken = { status: 202, body: '{"status":"success","message":"Event processed","dedup_key":"k"}' };
const incident = dedupKey({ agent: "droid", session: "s-1", id: "evt_1" });

const characters = (most: number) => z.string().refine((text) => measures.codePoints(text) <= most);
const common = { routing_key: z.string().length(32), dedup_key: characters(255).min(1) };

/** https://developer.pagerduty.com/docs/send-alert-event, as much of it as is asked for. */
const enqueued = z.discriminatedUnion("event_action", [
  z.strictObject({ ...common, event_action: z.literal("resolve") }),
  z.strictObject({
    ...common,
    event_action: z.literal("trigger"),
    client: z.string(),
    payload: z.strictObject({
      summary: characters(1024).min(1),
      source: z.string().min(1),
      severity: z.enum(["critical", "error", "warning", "info"]),
      timestamp: z.iso.datetime({ offset: true }),
      component: z.string().min(1).optional(),
      group: z.string().min(1).optional(),
      class: z.string().min(1).optional(),
      custom_details: z.record(z.string(), z.string()),
    }),
  }),
]);
const maxRequestBytes = 512 * 1024;

describe("what PagerDuty is sent", () => {
  it("opens an incident when someone is needed", async () => {
    const message = { level: "attention" as const, fields: [{ label: "project", value: "shop" }] };
    const { request, body, outcome } = await push(pagerduty, settings, { message, answer: taken });
    expect(request).toMatchObject({ method: "POST", url: "https://events.pagerduty.com/v2/enqueue" });
    expect(body).toEqual({
      routing_key: routingKey,
      dedup_key: incident,
      event_action: "trigger",
      client: "hookbell",
      payload: {
        summary: "shop: done: All tests pass.",
        source: "box",
        severity: "warning",
        timestamp: "2026-11-21T12:00:00.000Z",
        component: "shop",
        group: "droid",
        class: "Stop",
        custom_details: { project: "shop", message: "All tests pass." },
      },
    });
    expect(outcome).toEqual({
      status: "delivered",
      detail: "answered 202: the incident is open",
      remember: { dedupKey: incident },
    });
  });

  it("resolves the session's incident when it moves on, and forgets it", async () => {
    const { body, outcome } = await push(pagerduty, settings, { message: { level: "success" }, answer: taken });
    expect(body).toEqual({ routing_key: routingKey, dedup_key: incident, event_action: "resolve" });
    expect(outcome).toMatchObject({ status: "delivered", remember: {} });
    expect(outcome).not.toHaveProperty("remember.dedupKey");
  });

  it("is for each level", async () => {
    const made = await Promise.all(levels.map((level) => push(pagerduty, settings, { message: { level } })));
    const actions = made.map(({ body }) => [body.event_action, (body.payload as { severity?: string })?.severity]);
    expect(actions).toEqual([
      ["resolve", undefined],
      ["resolve", undefined],
      ["trigger", "warning"],
      ["trigger", "error"],
    ]);
  });

  it("is an incident of its own for what has no session", async () => {
    const of = async (id: string) =>
      (await push(pagerduty, settings, { message: { level: "error" }, event: { id, session: "" } })).body.dedup_key;
    expect(await of("evt_1")).toBe(await of("evt_1"));
    expect(await of("evt_1")).not.toBe(await of("evt_2"));
  });

  it("takes whatever a stranger wrote for text", () =>
    everyRow(
      adversarialTexts,
      async (text) => {
        const fields = Array.from({ length: 100 }, (__, index) => ({ label: `${index}${text}`, value: text }));
        const message = { title: text, body: text, level: "error" as const, fields };
        const event = { name: text, project: text, host: text, session: text, agent: text };
        const { request, body } = await push(pagerduty, settings, { message, event });
        expect(enqueued.safeParse(body).error).toBeUndefined();
        expect(measures.bytes(request?.body ?? "")).toBeLessThan(maxRequestBytes);
        for (const each of textsIn(body)) expectPlain(each);
      },
      (text) => JSON.stringify(text.slice(0, 40)),
    ));

  it("fits a summary at its limit", () =>
    everyRow(
      [
        ["x".repeat(maxSummary - 3), `t: ${"x".repeat(maxSummary - 3)}`],
        ["x".repeat(maxSummary - 2), `t: ${"x".repeat(maxSummary - 4)}…`],
        ["😀".repeat(maxSummary - 3), `t: ${"😀".repeat(maxSummary - 3)}`],
        ["😀".repeat(maxSummary), `t: ${"😀".repeat(maxSummary - 4)}…`],
      ],
      async ([text, summary]) => {
        const { body } = await push(pagerduty, settings, { message: { title: "t", body: text, level: "error" } });
        expect(body).toMatchObject({ payload: { summary } });
      },
      (row) => JSON.stringify(row),
    ));
});

describe("what PagerDuty answers", () => {
  const invalid = (error: string): string =>
    JSON.stringify({ status: "invalid event", message: "Event object is invalid", errors: [error] });
  it("is read for what it means", () =>
    everyRow(
      [
        [202, taken.body, "delivered"],
        [202, '{"status":"throttled"}', "rejected"],
        [200, "<html>Sign in</html>", "rejected"],
        [400, invalid("'payload.summary' is missing or blank"), "rejected"],
        [400, invalid("Length of 'routing_key' is incorrect (should be 32 characters)"), "unauthorized"],
        [400, '{"status":"Invalid routing key"}', "unauthorized"],
        [413, "", "rejected"],
        [429, "", "rateLimited"],
        [500, "", "serverError"],
        [503, "", "serverError"],
      ],
      async ([status, body, reason]) => {
        const { outcome } = await push(pagerduty, settings, { answer: { status, body } });
        expect(verdict(outcome)).toEqual([reason, undefined]);
      },
      (row) => JSON.stringify(row),
    ));
});

describe("the next prompt", () => {
  async function retract(remembered: Record<string, string>, answer: HttpResponse | HttpFailure) {
    const resolved = await resolveSecrets(pagerduty.settings.parse(settings), {}, "/nowhere");
    const made: HttpRequest[] = [];
    const http = (request: HttpRequest) => {
      made.push(request);
      return Promise.resolve(answer);
    };
    const done = pagerduty.retract?.(resolved as never, remembered, localTools({}, "/nowhere", { http }), "answered");
    return { made, done };
  }

  it("resolves the incident that is open", async () => {
    const { made, done } = await retract({ dedupKey: incident }, { ...taken, headers: {} });
    await done;
    expect(made.map(({ url, body }) => [url, JSON.parse(body ?? "")])).toEqual([
      [
        "https://events.pagerduty.com/v2/enqueue",
        { routing_key: routingKey, dedup_key: incident, event_action: "resolve" },
      ],
    ]);
  });

  it("asks nothing where none is open", async () => {
    const { made, done } = await retract({}, { ...taken, headers: {} });
    await done;
    expect(made).toEqual([]);
  });

  it.each([
    [{ status: 500, headers: {}, body: routingKey }, "answered 500"],
    [{ failure: "network", detail: `no route with ${routingKey}` }, "network"],
  ] as const)("says so when it could not: %j", async (answer, why) => {
    const { done } = await retract({ dedupKey: incident }, answer);
    const error = await Promise.resolve(done).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ message: `PagerDuty did not resolve the session's incident: ${why}` });
    expect(inspect(error)).not.toContain(routingKey);
  });
});

describe("an integration key", () => {
  it.each(["short", "x".repeat(33), `${"x".repeat(31)}-`])("is not %j", async (bad) => {
    expect(pagerduty.settings.safeParse({ routingKey: bad }).success).toBe(false);
    const { outcome, request } = await push(pagerduty, { routingKey: { env: "K" } }, { env: { K: bad } });
    expect(request).toBeUndefined();
    expect(verdict(outcome)).toEqual(["rejected", undefined]);
    expect(JSON.stringify(outcome)).not.toContain(bad);
  });
});
