import { describe, expect, it } from "vitest";
import * as z from "zod";
import { maxBody, maxTitle, pushover } from "../../../../src/channels/phone/pushover/pushover.ts";
import { maxRetryAfterMs } from "../../../../src/channels/http-channel.ts";
import { measures } from "../../../../src/model/text.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { expectPlain, push, textsIn, verdict } from "../../../support/channels/pushed.ts";
import { levels } from "../../../../src/model/level.ts";
import { everyRow } from "../../../support/rows.ts";

const settings = { token: "azGDORePK8gMaC0QOYAMyEEuzJnyUi", user: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG" };
const taken = { body: '{"status":1,"request":"647d2300"}' };
const characters = (most: number) => z.string().refine((text) => measures.codePoints(text) <= most);

/** https://pushover.net/api#messages and #limits */
const posted = z.strictObject({
  token: z.string().regex(/^[A-Za-z0-9]{30}$/),
  user: z.string().regex(/^[A-Za-z0-9]{30}$/),
  device: z.string().max(25).optional(),
  title: characters(250).min(1),
  message: characters(1024).min(1),
  // 2 would need `retry` and `expire`.
  priority: z.int().min(-2).max(1),
  timestamp: z.int().positive().optional(),
});

describe("what Pushover is sent", () => {
  it("is one message, without markup", async () => {
    const { request, body, outcome } = await push(pushover, { ...settings, device: "phone" }, { answer: taken });
    expect(outcome).toEqual({ status: "delivered", detail: "answered 200" });
    expect(request).toMatchObject({ method: "POST", url: "https://api.pushover.net/1/messages.json" });
    expect(body).toEqual({
      ...settings,
      device: "phone",
      title: "shop: done",
      message: "All tests pass.",
      priority: 0,
      timestamp: Date.UTC(2026, 10, 21, 12) / 1000,
    });
  });

  it("is quiet, normal or loud by its level", async () => {
    const made = await Promise.all(levels.map((level) => push(pushover, settings, { message: { level } })));
    expect(made.map(({ body }) => body.priority)).toEqual([-1, 0, 1, 1]);
  });

  it("rings for what is urgent, if it may, and remembers how to end that", async () => {
    const answer = { body: '{"status":1,"request":"647d2300","receipt":"rcpt1"}' };
    const ringing = { ...settings, emergency: true };
    const made = await Promise.all(levels.map((level) => push(pushover, ringing, { message: { level }, answer })));
    expect(made.map(({ body }) => body.priority)).toEqual([-1, 0, 2, 2]);
    const { body, outcome } = made[2] ?? {};
    expect(body).toMatchObject({ retry: 60, expire: 3600, tags: expect.stringMatching(/^[0-9a-f]{32}$/) as string });
    expect(outcome).toMatchObject({ status: "delivered", remember: { receipt: "rcpt1", tag: body?.tags } });
  });

  it("has no time where the event has none that can be read", async () => {
    expect((await push(pushover, settings, { event: { at: "soon" } })).body).not.toHaveProperty("timestamp");
  });

  it("takes whatever a stranger wrote for text", () =>
    everyRow(
      adversarialTexts,
      async (text) => {
        const message = { title: text, body: text, fields: [{ label: text, value: text }] };
        const { body } = await push(pushover, settings, { message, event: { name: text } });
        expect(posted.safeParse(body).error).toBeUndefined();
        for (const shown of textsIn(body)) expectPlain(shown);
      },
      (text) => JSON.stringify(text.slice(0, 40)),
    ));

  it("fits a body at its limit", () =>
    everyRow(
      [
        ["x".repeat(maxBody), "x".repeat(maxBody)],
        ["x".repeat(maxBody + 1), `${"x".repeat(maxBody - 1)}…`],
        ["😀".repeat(maxBody), "😀".repeat(maxBody)],
        ["😀".repeat(maxBody + 1), `${"😀".repeat(maxBody - 1)}…`],
        ["<".repeat(maxBody + 1), `${"<".repeat(maxBody - 1)}…`],
      ],
      async ([text, shown]) => {
        expect((await push(pushover, settings, { message: { body: text } })).body.message).toBe(shown);
      },
      (row) => JSON.stringify(row),
    ));

  it.each([
    ["x".repeat(maxTitle), "x".repeat(maxTitle)],
    ["😀".repeat(maxTitle + 1), `${"😀".repeat(maxTitle - 1)}…`],
  ])("fits a title at its limit %#", async (text, shown) => {
    expect((await push(pushover, settings, { message: { title: text } })).body.title).toBe(shown);
  });
});

describe("what Pushover answers", () => {
  const refused = (member: string, error: string): string =>
    `{${member && `"${member}":"invalid",`}"errors":["${error}"],"status":0,"request":"254174d7"}`;
  it("is read for what it means", () =>
    everyRow(
      [
        [200, taken.body, "delivered"],
        [200, refused("token", "application token is invalid"), "unauthorized"],
        [200, "", "rejected"],
        [200, "<html>Sign in</html>", "rejected"],
        [400, refused("token", "application token is invalid, see https://pushover.net/api"), "unauthorized"],
        [400, refused("user", "user identifier is not a valid user, group, or subscribed user key"), "unauthorized"],
        [400, refused("device", "device name is not valid for user"), "rejected"],
        [400, refused("message", "cannot be blank"), "rejected"],
        [400, refused("", "something new"), "rejected"],
        [400, '{"status":0,"errors":"none"}', "rejected"],
        [429, refused("", "application is over its message limit"), "rateLimited"],
        [500, refused("", "internal error"), "serverError"],
        [502, "<html>Bad gateway</html>", "serverError"],
      ],
      async ([status, body, reason]) => {
        const { outcome } = await push(pushover, settings, { answer: { status, body } });
        // After trouble of its own, it wants 5 s of peace.
        expect(verdict(outcome)).toEqual([reason, reason === "serverError" ? 5000 : undefined]);
      },
      (row) => JSON.stringify(row),
    ));

  it("says what to fix in Pushover's words and ours", async () => {
    const body = refused("token", "application token is invalid, see https://pushover.net/api");
    const { outcome } = await push(pushover, settings, { answer: { status: 400, body } });
    expect(outcome.detail).toBe(
      "Pushover answered 400: set the application's API token " +
        '(it said "application token is invalid, see https://pushover.net/api")',
    );
  });

  const date = "Sat, 21 Nov 2026 12:00:00 GMT";
  const nowS = Date.UTC(2026, 10, 21, 12) / 1000;
  it("429 is read with the messages that are left, and until when", () =>
    everyRow(
      [
        ["0", String(nowS + 3600), date, 3_600_000],
        ["0", String(nowS + 30 * 86_400), date, maxRetryAfterMs],
        ["0", String(nowS - 60), date, maxRetryAfterMs],
        ["0", "soon", date, maxRetryAfterMs],
        ["0", String(nowS), undefined, maxRetryAfterMs],
        ["12", String(nowS + 3600), date, undefined],
      ],
      async ([remaining, reset, at, retryAfterMs]) => {
        const headers = {
          "x-limit-app-remaining": remaining,
          "x-limit-app-reset": reset,
          ...(at === undefined ? {} : { date: at }),
        };
        const { outcome } = await push(pushover, settings, { answer: { status: 429, headers } });
        expect(verdict(outcome)).toEqual(["rateLimited", retryAfterMs]);
      },
      (row) => JSON.stringify(row),
    ));
});
