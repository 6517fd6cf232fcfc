import { CloudEvent, HTTP } from "cloudevents";
import * as fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { maxPayloadBytes } from "../../../../src/channels/automation/program-message.ts";
import { signingSecretProblem, webhookHeaders } from "../../../../src/channels/automation/webhook/signature.ts";
import { webhookType } from "../../../../src/channels/automation/webhook/message.ts";
import { webhook } from "../../../../src/channels/automation/webhook/webhook.ts";
import type { HttpRequest } from "../../../../src/system/network/http.ts";
import { resolveSecrets } from "../../../../src/system/secrets.ts";
import { localRequest, localTools } from "../../../support/channels/channel-request.ts";
import { anyText } from "../../../support/random/any-text.ts";
import { everyRow } from "../../../support/rows.ts";

const oldSecret = "whsec_c2lnbmluZyBzZWNyZXQgbnVtYmVyIDEsIGxvbmcgZW5vdWdo";
const newSecret = "whsec_c2lnbmluZyBzZWNyZXQgbnVtYmVyIDIsIGxvbmcgZW5vdWdo";

async function requestOf(
  settings: Record<string, unknown>,
  more: Partial<ReturnType<typeof localRequest>> = {},
): Promise<HttpRequest> {
  const parsed = webhook.settings.parse({ url: "https://receiver.example/in", ...settings });
  const resolved = await resolveSecrets(parsed, {}, "/nowhere");
  const made: HttpRequest[] = [];
  const http = (request: HttpRequest) => {
    made.push(request);
    return Promise.resolve({ status: 204, headers: {}, body: "" });
  };
  const outcome = await webhook.send({ ...localRequest({}, resolved), ...more }, localTools({}, "/nowhere", { http }));
  expect(outcome).toEqual({ status: "delivered", detail: "answered 204" });
  return made[0] as HttpRequest;
}

describe("webhookHeaders", () => {
  it("signs the known vector", () => {
    const body = '{"type":"agent.stop","timestamp":"2022-11-03T20:26:10.344522Z","data":{"id":"x"}}';
    const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    expect(webhookHeaders("msg_2KWPBgLlAfxdpx2AI54pPJ85f4W", 1674087231_000, body, [secret])).toEqual({
      "webhook-id": "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W",
      "webhook-timestamp": "1674087231",
      "webhook-signature": "v1,pRUhWffgoK5OFUOybi3ahHC+EXFuUpfVkX4jRFmzDlY=",
    });
  });

  it("signs any text as the specification's own library does", () => {
    fc.assert(
      fc.property(anyText(), fc.uint8Array({ minLength: 1 }), (text, key) => {
        const body = JSON.stringify({ text });
        const secret = `whsec_${Buffer.from(key).toString("base64")}`;
        expect(signingSecretProblem(secret)).toBeUndefined();
        const headers = webhookHeaders("msg_1", 1_700_000_000_999, body, [secret]);
        expect(headers["webhook-signature"]).toBe(new Webhook(secret).sign("msg_1", new Date(1_700_000_000_999), body));
      }),
    );
  });
});

describe("a receiver with Svix's library", () => {
  it.each([oldSecret, newSecret])("takes what is signed with both secrets, whichever it knows", async (secret) => {
    const { body = "", headers = {} } = await requestOf({ secret: [oldSecret, newSecret] });
    expect(new SvixWebhook(secret).verify(body, { ...headers })).toMatchObject({ type: "agent.stop" });
  });

  it("refuses what was changed on the way, or signed with another secret", async () => {
    const { body = "", headers = {} } = await requestOf({ secret: oldSecret });
    expect(() => new SvixWebhook(oldSecret).verify(`${body} `, { ...headers })).toThrow(/signature/);
    expect(() => new SvixWebhook(newSecret).verify(body, { ...headers })).toThrow(/signature/);
  });
});

describe("signingSecretProblem", () => {
  it("refuses a secret that is too weak", () =>
    everyRow(["whsec_", "", "whsec_not base64", "plain-text!", "whsec_YWJj=", "whsk_YWJj", "YWJjZ"], (secret) => {
      expect(signingSecretProblem(secret)).toBeTypeOf("string");
    }));
  it.each(["whsec_YWJj", "YWJj", "whsec_YWI="])("takes %j", (secret) => {
    expect(signingSecretProblem(secret)).toBeUndefined();
  });
});

describe("webhookType", () => {
  it("is named by agent and event", () =>
    everyRow(
      [
        ["Stop", "agent.stop"],
        ["SubagentStop", "agent.subagent_stop"],
        ["UserPromptSubmit", "agent.user_prompt_submit"],
        ["before.tool-Call!", "agent.before_tool_call"],
        ["…", "agent.event"],
        ["", "agent.event"],
      ],
      ([name, expected]) => {
        expect(webhookType(name)).toBe(expected);
      },
      (row) => JSON.stringify(row),
    ));
});

describe("the webhook channel", () => {
  it.each([
    ["the old secret", oldSecret],
    ["the new secret", newSecret],
  ])("is verified by a receiver with %s while they change", async (_which, secret) => {
    const { body = "", headers = {} } = await requestOf({ secret: [oldSecret, newSecret] });
    expect(new Webhook(secret).verify(body, { ...headers })).toMatchObject({ type: "agent.stop" });
    expect(() => new Webhook(secret).verify(`${body} `, { ...headers })).toThrow("No matching signature");
    expect(() => new Webhook(secret).verify(body, { ...headers, "webhook-id": "msg_2" })).toThrow("No matching");
  });

  it("is not verified with another secret", async () => {
    const { body = "", headers = {} } = await requestOf({ secret: oldSecret });
    expect(() => new Webhook(newSecret).verify(body, { ...headers })).toThrow("No matching signature");
  });

  it("keeps its id over retries, and is unsigned without a secret", async () => {
    const first = await requestOf({});
    const second = await requestOf({}, { attempt: 2 });
    expect(first.headers?.["webhook-id"]).toBe("msg_1");
    expect(second.headers?.["webhook-id"]).toBe("msg_1");
    expect(second.body).toBe(first.body);
    expect(first.headers).not.toHaveProperty("webhook-signature");
  });

  it("tells event and message, and the agent's payload only when asked", async () => {
    const payload = { hook_event_name: "Stop", last_assistant_message: "käse" };
    const { body = "", headers, method } = await requestOf({}, { payload });
    expect({ method, type: headers?.["content-type"] }).toEqual({ method: "POST", type: "application/json" });
    expect(JSON.parse(body)).toEqual({
      type: "agent.stop",
      timestamp: "2026-11-21T12:00:00.000Z",
      data: {
        version: 1,
        event: localRequest({}, {}).event,
        message: { title: "shop: done", body: "All tests pass.", level: "success", fields: [] },
      },
    });
    const asked = await requestOf({ payload: true, method: "PUT" }, { payload });
    expect(asked.method).toBe("PUT");
    expect(JSON.parse(asked.body ?? "").data.payload).toEqual(payload);
  });

  it("leaves a payload behind that is too large, and says so", async () => {
    const { body = "" } = await requestOf({ payload: true }, { payload: { a: "ä".repeat(maxPayloadBytes / 2) } });
    expect(JSON.parse(body).data).toMatchObject({ isPayloadOmitted: true });
    expect(JSON.parse(body).data).not.toHaveProperty("payload");
  });

  it("sends no lone surrogate of a payload, which strict parsers refuse", async () => {
    const { body = "" } = await requestOf({ payload: true }, { payload: { "k\uD800": ["a\uDC00", { b: "😀" }] } });
    expect(JSON.parse(body).data.payload).toEqual({ "k\uFFFD": ["a\uFFFD", { b: "😀" }] });
  });

  it("speaks CloudEvents 1.0 as its own library reads them", async () => {
    const { body = "", headers = {} } = await requestOf({ format: "cloudevents", secret: oldSecret });
    expect(headers["content-type"]).toBe("application/cloudevents+json; charset=utf-8");
    const event = HTTP.toEvent({ headers: { ...headers }, body });
    if (Array.isArray(event)) throw new Error("one event was sent");
    expect(new CloudEvent({ ...event }, true)).toMatchObject({ id: "msg_1" });
    expect(event).toMatchObject({
      specversion: "1.0",
      id: "msg_1",
      type: "agent.stop",
      source: "/hookbell/box/droid",
      subject: "s-1",
      time: "2026-11-21T12:00:00.000Z",
      data: { message: { title: "shop: done" } },
    });
    expect(new Webhook(oldSecret).verify(body, { ...headers })).toMatchObject({ specversion: "1.0" });
  });

  it("speaks CloudEvents' binary mode as its own library reads it, whatever strangers write", async () => {
    const wild = { ...localRequest({}, {}).event, session: 'ä "100%" 😀\r\nx: y', host: "bü\n", agent: "" };
    for (const event of [localRequest({}, {}).event, wild, { ...wild, session: "" }]) {
      const { body = "", headers = {} } = await requestOf(
        { format: "cloudevents-binary", secret: oldSecret },
        { event },
      );
      for (const value of Object.values(headers)) expect(value).toMatch(/^[\u0020-\u007E]*$/);
      const read = HTTP.toEvent({ headers: { ...headers }, body });
      if (Array.isArray(read)) throw new Error("one event was sent");
      expect(new CloudEvent({ ...read }, true)).toMatchObject({
        id: "msg_1",
        type: "agent.stop",
        time: "2026-11-21T12:00:00.000Z",
        datacontenttype: "application/json",
      });
      // The binding wants % and all beyond ASCII percent-encoded; the library leaves the decoding to its user.
      const source = `/hookbell/${encodeURIComponent(event.host)}/${encodeURIComponent(event.agent)}`;
      expect(decodeURIComponent(read.source)).toBe(source);
      expect(decodeURIComponent(read.subject ?? "")).toBe(event.session);
      expect(headers).not.toHaveProperty("ce-datacontenttype");
      expect(new Webhook(oldSecret).verify(body, { ...headers })).toMatchObject({ message: { title: "shop: done" } });
    }
  });

  it("keeps a CloudEvent's attributes short enough for headers", async () => {
    const event = { ...localRequest({}, {}).event, session: "😀".repeat(100_000), host: "h".repeat(100_000) };
    for (const format of ["cloudevents", "cloudevents-binary"]) {
      const { headers = {} } = await requestOf({ format }, { event });
      expect(JSON.stringify(headers).length).toBeLessThan(5000);
    }
  });

  it("sends extra headers, each once", async () => {
    const { headers } = await requestOf({ headers: { Authorization: "Bearer t", "X-Team": "a" } });
    expect(headers).toMatchObject({ authorization: "Bearer t", "x-team": "a" });
  });

  it("refuses what it cannot send to when the rules are loaded", () =>
    everyRow(
      [
        [{ headers: { "Webhook-Signature": "x" } }, ["headers", "Webhook-Signature"]],
        [{ headers: { "CE-Source": "x" } }, ["headers", "CE-Source"]],
        [{ headers: { "content-type": "x" } }, ["headers", "content-type"]],
        [{ headers: { "Transfer-Encoding": "x" } }, ["headers", "Transfer-Encoding"]],
        [{ headers: { a: "1", A: "2" } }, ["headers", "A"]],
        [{ secret: "s3cret words" }, ["secret"]],
        [{ method: "GET" }, ["method"]],
      ],
      ([more, path]) => {
        const { error } = webhook.settings.safeParse({ url: "https://receiver.example/in", ...more });
        expect(error?.issues[0]?.path).toEqual(path);
        expect(JSON.stringify(error?.issues)).not.toContain("s3cret");
      },
      (row) => JSON.stringify(row),
    ));

  it("refuses a secret that turns out to be none only when sending", async () => {
    const parsed = webhook.settings.parse({ url: "https://receiver.example/in", secret: { env: "KEY" } });
    const settings = await resolveSecrets(parsed, { KEY: "s3cret words" }, "/nowhere");
    const outcome = await webhook.send(localRequest({}, settings), localTools({}, "/nowhere"));
    expect(outcome).toMatchObject({ status: "failed", reason: "rejected", detail: expect.stringContaining("whsec_") });
    expect(outcome.detail).not.toContain("s3cret");
  });
});
