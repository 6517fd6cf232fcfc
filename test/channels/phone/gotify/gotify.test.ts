import { describe, expect, it } from "vitest";
import * as z from "zod";
import { gotify, maxBody, maxTitle } from "../../../../src/channels/phone/gotify/gotify.ts";
import { measures } from "../../../../src/model/text.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { expectPlain, push, textsIn, verdict } from "../../../support/channels/pushed.ts";
import { levels } from "../../../../src/model/level.ts";
import { everyRow } from "../../../support/rows.ts";

const settings = { server: "https://example.org/gotify/", token: "A.s3cret" };
const taken = { body: '{"id":25,"appid":5,"message":"m","date":"2026-11-21T12:00:00Z"}' };

/** https://github.com/gotify/server/blob/master/docs/spec.json, Message, as much of it as is asked for. */
const posted = z.strictObject({
  title: z.string().min(1),
  message: z.string().min(1),
  priority: z.int().min(0).max(10),
  extras: z.strictObject({ "client::display": z.strictObject({ contentType: z.literal("text/plain") }) }),
});

describe("what Gotify is sent", () => {
  it("is one message, which is no Markdown", async () => {
    const { request, body, outcome } = await push(gotify, settings, { answer: taken });
    expect(outcome).toEqual({ status: "delivered", detail: "answered 200" });
    expect(request).toMatchObject({ method: "POST", url: "https://example.org/gotify/message" });
    expect(request?.headers).toMatchObject({ "x-gotify-key": "A.s3cret" });
    expect(body).toEqual({
      title: "shop: done",
      message: "All tests pass.",
      priority: 4,
      extras: { "client::display": { contentType: "text/plain" } },
    });
  });

  it("is quiet or loud by its level", async () => {
    const made = await Promise.all(levels.map((level) => push(gotify, settings, { message: { level } })));
    expect(made.map(({ body }) => body.priority)).toEqual([2, 4, 6, 8]);
  });

  it.each([true, undefined])("may go over http:// where the person says so: %s", async (allowHttp) => {
    const { request } = await push(gotify, { ...settings, server: "http://gotify.lan", allowHttp });
    expect(request?.isPlainHttpAllowed).toBe(allowHttp);
  });

  it("takes whatever a stranger wrote for text", () =>
    everyRow(
      adversarialTexts,
      async (text) => {
        const message = { title: text, body: text, fields: [{ label: text, value: text }] };
        const { body } = await push(gotify, settings, { message, event: { name: text } });
        const { title, message: shown } = posted.parse(body);
        expect(measures.codePoints(title)).toBeLessThanOrEqual(maxTitle);
        expect(measures.codePoints(shown)).toBeLessThanOrEqual(maxBody);
        for (const each of textsIn(body)) expectPlain(each);
      },
      (text) => JSON.stringify(text.slice(0, 40)),
    ));
});

describe("what Gotify answers", () => {
  it("is read for what it means", () =>
    everyRow(
      [
        [200, taken.body, "delivered", /answered 200/],
        [200, "ok", "rejected", /not as Gotify does/],
        [200, "[]", "rejected", /not as Gotify does/],
        [400, '{"error":"Bad Request","errorCode":400,"errorDescription":"..."}', "rejected", /Bad Request/],
        [401, '{"error":"Unauthorized","errorCode":401}', "unauthorized", /token of an application/],
        [403, '{"error":"Forbidden","errorCode":403}', "unauthorized", /token of an application/],
        [404, "", "gone", /correct "server"/],
        [500, "", "serverError", /answered 500/],
      ],
      async ([status, body, reason, detail]) => {
        const { outcome } = await push(gotify, settings, { answer: { status, body } });
        expect(verdict(outcome)).toEqual([reason, undefined]);
        expect(outcome.detail).toMatch(detail);
      },
      (row) => JSON.stringify(row),
    ));

  it("half an answer leaves open whether it arrived", async () => {
    const answer = { status: 200, body: '{"id":2', bodyEnd: "broken" as const };
    expect(verdict((await push(gotify, settings, { answer })).outcome)).toEqual(["unknown", undefined]);
  });
});
