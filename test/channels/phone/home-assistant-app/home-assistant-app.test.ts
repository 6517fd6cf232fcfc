import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Button } from "../../../../src/model/answer.ts";
import { askingData } from "../../../../src/channels/phone/home-assistant-app/answers.ts";
import { appBytes, forApp, maxBody, maxTitle } from "../../../../src/channels/phone/home-assistant-app/app-api.ts";
import { homeAssistantApp } from "../../../../src/channels/phone/home-assistant-app/home-assistant-app.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { push, verdict } from "../../../support/channels/pushed.ts";
import { everyRow } from "../../../support/rows.ts";

const settings = { server: "https://home.example.org", token: "eyJh.s3cret", device: "mobile_app_pixel_8" };

/** https://companion.home-assistant.io/docs/notifications/notifications-basic, as much of it as is asked for. */
const posted = z.strictObject({
  title: z.string().min(1),
  message: z.string().min(1),
  data: z.strictObject({
    tag: z.string().min(1),
    ttl: z.literal(0).optional(),
    priority: z.literal("high").optional(),
    alert_once: z.literal(true).optional(),
    push: z.strictObject({ "interruption-level": z.enum(["passive", "active", "time-sensitive"]) }),
  }),
});

describe("what the Home Assistant app is sent", () => {
  it("is one notification, through the phone's notify action", async () => {
    const { request, body, outcome } = await push(homeAssistantApp, settings, { answer: { body: "[]" } });
    expect(outcome).toEqual({ status: "delivered" });
    expect(request).toMatchObject({
      method: "POST",
      url: "https://home.example.org/api/services/notify/mobile_app_pixel_8",
      headers: { authorization: "Bearer eyJh.s3cret" },
    });
    expect(posted.parse(body)).toMatchObject({ title: "shop: done", message: "\u2060All tests pass." });
  });

  it("takes whatever a stranger wrote for text", () =>
    everyRow(
      adversarialTexts,
      async (text) => {
        const message = { title: text, body: text, fields: [{ label: text, value: text }] };
        const { title, message: shown } = posted.parse((await push(homeAssistantApp, settings, { message })).body);
        expect(appBytes(title)).toBeLessThanOrEqual(maxTitle);
        expect(appBytes(shown)).toBeLessThanOrEqual(maxBody);
        for (const each of [title, shown]) expect(each).not.toMatch(/\{[{%#]|[<&]|\\[rn]/);
      },
      (text) => JSON.stringify(text.slice(0, 40)),
    ));

  it.each(["clear_notification", "command_flashlight", "TTS", " request_location_update "])(
    "is never the app's command %s",
    async (command) => {
      const message = { title: "x", body: command, fields: [] };
      const { body } = await push(homeAssistantApp, settings, { message });
      expect(posted.parse(body).message.trim()).not.toBe(command.trim());
    },
  );

  it("keeps every space of a command, which HTML would take away", () => {
    expect(forApp("a  b\n  c d")).toBe("a\u00A0\u00A0b\n\u00A0\u00A0c d");
  });

  it("reads what Home Assistant answers", () =>
    everyRow(
      [
        [200, "[]", "delivered"],
        [200, "<html>", "rejected"],
        [400, "400: Bad Request", "rejected"],
        [401, "401: Unauthorized", "unauthorized"],
        [404, "", "gone"],
        [500, "", "serverError"],
      ],
      async ([status, body, expected]) => {
        const { outcome } = await push(homeAssistantApp, settings, { answer: { status, body } });
        expect(verdict(outcome)).toEqual([expected, undefined]);
      },
      (row) => JSON.stringify(row),
    ));
});

describe("the buttons of a question", () => {
  const button = (choice: Button["choice"]): Button => ({ choice, label: choice, nonce: `n-${choice}` });

  it("ask to unlock the phone for all but a no, and leave a place for words", () => {
    const { actions } = askingData([button("allow"), button("deny")], "hookbell-1");
    expect(actions).toMatchObject([
      { action: "hookbell-n-allow", authenticationRequired: true, destructive: false },
      { action: "hookbell-n-deny", authenticationRequired: false, destructive: true },
      { behavior: "textInput" },
    ]);
  });

  it("are three at most, which is all that Android shows", () => {
    const { actions } = askingData([button("allow"), button("allowForSession"), button("deny")], "hookbell-1");
    expect(actions).toHaveLength(3);
    expect(JSON.stringify(actions)).not.toContain("textInput");
  });
});
