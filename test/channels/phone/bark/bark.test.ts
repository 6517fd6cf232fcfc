import { describe, expect, it } from "vitest";
import * as z from "zod";
import { appleBytes, bark, maxBody, maxGroup, maxTitle } from "../../../../src/channels/phone/bark/bark.ts";
import type { AgentEvent } from "../../../../src/model/event.ts";
import { levels } from "../../../../src/model/level.ts";
import { ofAllSessions } from "../../../../src/model/own-events.ts";
import { measures } from "../../../../src/model/text.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { expectPlain, push, textsIn, verdict } from "../../../support/channels/pushed.ts";
import { everyRow } from "../../../support/rows.ts";

const settings = { key: "ynJ5Ft4atkMkWeo2PAvFhF" };
const taken = { body: '{"code":200,"message":"success","timestamp":1700000000}' };

/** https://github.com/Finb/bark-server/blob/master/docs/API_V2.md, as much of it as is asked for. */
const posted = z.strictObject({
  device_key: z.string().regex(/^[A-Za-z0-9]+$/),
  title: z.string().min(1),
  body: z.string().min(1),
  level: z.enum(["active", "timeSensitive", "passive"]),
  group: z.string().min(1),
  id: z.string().regex(/^\w{1,64}$/),
});
/** Apple's, for all of the notification: https://developer.apple.com/documentation/usernotifications */
const maxNotificationBytes = 4096;

/** The notification as the server makes it, in Go's JSON. */
function notificationOf({ title, body, level, group, id }: z.infer<typeof posted>): string {
  const alert = { title, subtitle: "", body };
  const aps = {
    alert,
    sound: "1107.caf",
    "thread-id": group,
    category: "myNotificationCategory",
    "mutable-content": 1,
  };
  return JSON.stringify({ aps, group, id, level, "interruption-level": "time-sensitive" }).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

describe("what Bark is sent", () => {
  it("is one notification of the project's group", async () => {
    const { request, body, outcome } = await push(bark, settings, { answer: taken });
    expect(outcome).toEqual({ status: "delivered", detail: "answered 200" });
    expect(request).toMatchObject({ method: "POST", url: "https://api.day.app/push" });
    expect(body).toEqual({
      device_key: settings.key,
      title: "shop: done",
      body: "All tests pass.",
      level: "active",
      group: "shop",
      id: "msg_1",
    });
  });

  it("replaces the session's earlier notification, or stands alone", async () => {
    const session = { agent: "droid", session: "s-1", id: "evt_1" };
    const idOf = async (update: string, event: Partial<AgentEvent>, isList?: boolean) =>
      (await push(bark, { ...settings, update }, { event, remembered: { id: "msg_0" }, isList })).body.id;
    expect(await idOf("replace", session)).toBe("msg_0");
    expect(await idOf("new", { ...session, ...ofAllSessions }, true)).toBe("msg_0");
    expect(await idOf("new", session)).toBe("msg_1");
    expect(await idOf("replace", { ...session, agent: "hookbell" })).toBe("msg_1");
    expect(await idOf("replace", { ...session, session: "" })).toBe("msg_1");
  });

  it("interrupts by its level", async () => {
    const made = await Promise.all(levels.map((level) => push(bark, settings, { message: { level } })));
    expect(made.map(({ body }) => body.level)).toEqual(["passive", "active", "timeSensitive", "timeSensitive"]);
  });

  it("takes whatever a stranger wrote for text", () =>
    everyRow(
      adversarialTexts,
      async (text) => {
        const message = { title: text, body: text, fields: [{ label: text, value: text }] };
        const { body } = await push(bark, settings, { message, event: { name: text, project: text } });
        const made = posted.parse(body);
        expect(appleBytes(made.title)).toBeLessThanOrEqual(maxTitle);
        expect(appleBytes(made.body)).toBeLessThanOrEqual(maxBody);
        expect(appleBytes(made.group)).toBeLessThanOrEqual(maxGroup);
        expect(measures.bytes(notificationOf(made))).toBeLessThanOrEqual(maxNotificationBytes);
        for (const each of textsIn(body)) expectPlain(each);
      },
      (text) => JSON.stringify(text.slice(0, 40)),
    ));

  it("fits a body at its limit", () =>
    everyRow(
      [
        ["x".repeat(maxBody), maxBody],
        ["x".repeat(maxBody + 1), maxBody],
        ["<".repeat(Math.floor(maxBody / 6)), Math.floor(maxBody / 6) * 6],
        ["<".repeat(Math.floor(maxBody / 6) + 1), Math.floor((maxBody - 3) / 6) * 6 + 3],
        ["😀".repeat(maxBody / 4 + 1), Math.floor((maxBody - 3) / 4) * 4 + 3],
      ],
      async ([text, length]) => {
        const { body } = await push(bark, settings, { message: { body: text } });
        expect(appleBytes(String(body.body))).toBe(length);
        expect(String(body.body).endsWith("…")).toBe(appleBytes(text) > maxBody);
      },
      (row) => JSON.stringify(row),
    ));
});

describe("appleBytes", () => {
  it("are counted as Apple's servers do", () =>
    everyRow(
      [
        ["", 0],
        ["a", 1],
        ["é😀", 6],
        ['"\\\n', 6],
        ["<>&", 18],
        ["\u2028\u2029", 12],
      ],
      ([text, length]) => {
        expect(appleBytes(text)).toBe(length);
      },
      (row) => JSON.stringify(row),
    ));
});

describe("what Bark answers", () => {
  const said = (code: number, message: string): string => JSON.stringify({ code, message, timestamp: 1 });
  it("is read for what it means", () =>
    everyRow(
      [
        [200, taken.body, "delivered"],
        [200, said(400, "device key is empty"), "rejected"],
        [200, "<html>Sign in</html>", "rejected"],
        [400, said(400, "request bind failed: unexpected end"), "rejected"],
        [400, said(400, "device key is empty"), "gone"],
        [400, said(400, "failed to get device token: failed to get [x] device token from database"), "gone"],
        [500, said(500, "push failed: APNs push failed: BadDeviceToken"), "gone"],
        [500, said(500, "push failed: APNs push failed: Unregistered"), "gone"],
        [500, said(500, "push failed: APNs push failed: PayloadTooLarge"), "rejected"],
        [500, said(500, "push failed: connection reset"), "serverError"],
        [500, "", "serverError"],
      ],
      async ([status, body, reason]) => {
        const { outcome } = await push(bark, settings, { answer: { status, body } });
        expect(verdict(outcome)).toEqual([reason, undefined]);
      },
      (row) => JSON.stringify(row),
    ));
});
