import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  homeAssistant,
  maxMessage,
  maxText,
} from "../../../../src/channels/automation/home-assistant/home-assistant.ts";
import { measures } from "../../../../src/model/text.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { expectPlain, push, textsIn, verdict } from "../../../support/channels/pushed.ts";
import { everyRow } from "../../../support/rows.ts";

const settings = { url: "https://home.example.org/api/webhook/-s3cretId" };
const line = z
  .string()
  .regex(/^[^\n]*$/)
  .refine((text) => measures.codePoints(text) <= maxText);

const posted = z.strictObject({
  id: z.string().regex(/^msg_/),
  title: line.min(1),
  message: z.string().refine((text) => measures.codePoints(text) <= maxMessage),
  level: z.string(),
  event: line,
  agent: line,
  project: line,
  host: line,
  session: line,
  at: line,
});

describe("what Home Assistant is sent", () => {
  it("is what an automation can use", async () => {
    const { request, body } = await push(homeAssistant, settings);
    expect(request).toMatchObject({ method: "POST", url: settings.url });
    expect(body).toEqual({
      id: "msg_1",
      title: "shop: done",
      message: "All tests pass.",
      level: "success",
      event: "Stop",
      agent: "droid",
      project: "shop",
      host: "box",
      session: "s-1",
      at: "2026-11-21T12:00:00.000Z",
    });
  });

  it("takes whatever a stranger wrote for text", () =>
    everyRow(
      adversarialTexts,
      async (text) => {
        const event = { name: text, project: text, host: text, session: text, agent: text };
        const { body } = await push(homeAssistant, settings, { message: { title: text, body: text }, event });
        expect(posted.safeParse(body).error).toBeUndefined();
        for (const each of textsIn(body)) expectPlain(each);
      },
      (text) => JSON.stringify(text.slice(0, 40)),
    ));
});

describe("what Home Assistant answers", () => {
  it("is read by its status", () =>
    everyRow(
      [
        [200, "delivered"],
        [404, "gone"],
        [405, "rejected"],
        [400, "rejected"],
        [502, "serverError"],
      ],
      async ([status, reason]) => {
        const { outcome } = await push(homeAssistant, settings, { answer: { status } });
        expect(verdict(outcome)).toEqual([reason, undefined]);
      },
      (row) => JSON.stringify(row),
    ));

  it("a 200 says nothing, and so does the detail", async () => {
    expect((await push(homeAssistant, settings)).outcome.detail).toBe(
      "answered 200, but Home Assistant gives this answer for any webhook, even an unknown one; the automation's traces show whether it ran",
    );
  });
});
