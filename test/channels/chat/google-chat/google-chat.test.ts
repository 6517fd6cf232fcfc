import type { chat_v1 } from "@googleapis/chat";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  maxBody,
  maxFallback,
  maxFields,
  maxRequest,
  maxTitle,
  toGoogleChatMessage,
} from "../../../../src/channels/chat/google-chat/message.ts";
import { googleChat } from "../../../../src/channels/chat/google-chat/google-chat.ts";
import type { Message } from "../../../../src/model/message.ts";
import { printable, withoutControls } from "../../../../src/model/text.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { localRequest } from "../../../support/channels/channel-request.ts";
import { sampleMessage, sendScripted } from "../../../support/receivers/scripted-answers.ts";
import { levels } from "../../../../src/model/level.ts";
import { slowRuns } from "../../../support/random/slow-runs.ts";
import { everyRow } from "../../../support/rows.ts";

const event = localRequest({}, {}).event;
const make = (more: Partial<Message>) => toGoogleChatMessage(sampleMessage(more), event, true);
const textsIn = ({ cardsV2 }: ReturnType<typeof make>): string[] =>
  cardsV2.flatMap(({ card }) => card.sections.flatMap(({ widgets }) => widgets.map((each) => each.textParagraph.text)));
const textsOf = (more: Partial<Message>): string[] => textsIn(make(more));
const bytesOf = (made: unknown): number => Buffer.byteLength(JSON.stringify(made), "utf8");

/** A paragraph's HTML, read strictly: our own tags around the title, line ends, and three entities. */
function readParagraph(html: string): string {
  const inner = /^<b><font color="#[0-9A-F]{6}">(.*)<\/font><\/b>$/s.exec(html)?.[1] ?? html;
  const text = inner.replaceAll("<br>", "\n");
  expect(text).not.toMatch(/[<>]/);
  expect(text.replace(/&(?:amp|lt|gt);/g, "")).not.toContain("&");
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

describe("toGoogleChatMessage", () => {
  it("is what Google's reference says", () => {
    const made = make({ body: "All <b>\ntests pass." });
    made satisfies chat_v1.Schema$Message;
    expect(made).toEqual({
      fallbackText: "shop: done: All <\u200Bb> tests pass.",
      cardsV2: [
        {
          cardId: "hookbell",
          card: {
            sections: [
              {
                widgets: [
                  { textParagraph: { text: '<b><font color="#238A52">shop: done</font></b>' } },
                  { textParagraph: { text: "All &lt;b&gt;<br>tests pass." } },
                  { textParagraph: { text: "project: shop" } },
                ],
              },
            ],
          },
        },
      ],
      thread: { threadKey: expect.stringMatching(/^hookbell-[0-9a-f]{32}$/) },
    });
  });

  it("has a colour of its own for each level", () => {
    const colours = levels.map((level) => /#[0-9A-F]{6}/.exec(textsOf({ level })[0] ?? "")?.[0]);
    expect(new Set(colours).size).toBe(levels.length);
  });

  it("has one thread for each session, and none where there is no session", () => {
    const keyOf = (more: object): string | undefined =>
      toGoogleChatMessage(sampleMessage({}), { ...event, ...more }, true).thread?.threadKey;
    expect(keyOf({ id: "evt_2" })).toBe(keyOf({}));
    expect(keyOf({ session: "s-2" })).not.toBe(keyOf({}));
    expect(keyOf({ agent: "other" })).not.toBe(keyOf({}));
    expect(keyOf({ session: "" })).toBeUndefined();
    expect(toGoogleChatMessage(sampleMessage({}), event, false)).not.toHaveProperty("thread");
  });

  it("has a title in any case, and nothing that is empty", () => {
    expect(textsOf({ title: " \n", body: " ", fields: [{ label: "x", value: "" }] }).map(readParagraph)).toEqual([
      "Stop",
    ]);
  });

  it("shows whatever a stranger wrote as it is", () =>
    everyRow(
      adversarialTexts,
      (text) => {
        const made = make({ title: text, body: text, fields: [{ label: text, value: text }] });
        expect(made.fallbackText).not.toMatch(/<(?!\u200B)/);
        expect(made.fallbackText).toBe(withoutControls(made.fallbackText));
        expect(bytesOf(made)).toBeLessThanOrEqual(maxRequest);
        const whole = printable(text).trim();
        const [, body = ""] = textsOf({ body: text, fields: [] }).map(readParagraph);
        if (body.endsWith("…")) expect(whole.startsWith(body.slice(0, -1))).toBe(true);
        else expect(body).toBe(whole);
      },
      (text) => JSON.stringify(text.slice(0, 40)),
    ));

  it.each([
    ["ASCII", "x", "x", 1],
    ["astral characters", "😀", "😀", 4],
    ["characters that all need escaping", "<", "&lt;", 4],
    ["characters that JSON escapes", '"', '"', 2],
  ])("counts the bytes of %s within JSON", (_, unit, escaped, cost) => {
    const shown = (count: number): string | undefined => textsOf({ body: unit.repeat(count) })[1];
    expect(shown(maxBody / cost)).toBe(escaped.repeat(maxBody / cost));
    expect(shown(maxBody / cost + 1)).toBe(`${escaped.repeat(Math.floor((maxBody - 3) / cost))}…`);
    const title = (count: number): string => readParagraph(textsOf({ title: unit.repeat(count) })[0] ?? "");
    expect(title(maxTitle / cost)).toBe(unit.repeat(maxTitle / cost));
    const over = title(maxTitle / cost + 1);
    expect(over).toMatch(/[^…]…$/);
    expect(over.replace("…", "")).toBe(unit.repeat(Math.floor((maxTitle - 3) / cost)));
  });

  it("keeps the whole request small enough, whatever the texts", () => {
    const wild = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constantFrom('"', "\\", "<", "😀", "👩‍👩‍👧", "x", "a\n").map((unit) => unit.repeat(60_000 / unit.length)),
    );
    fc.assert(
      fc.property(wild, wild, wild, fc.nat({ max: 40 }), (title, body, value, count) => {
        const fields = Array.from({ length: count }, () => ({ label: "label", value }));
        const made = make({ title, body, fields });
        expect(bytesOf(made)).toBeLessThanOrEqual(maxRequest);
        expect(bytesOf(made.fallbackText) - 2).toBeLessThanOrEqual(maxFallback);
        const widgets = textsIn(made);
        expect(widgets.length).toBeLessThanOrEqual(3);
        for (const text of widgets) expect(readParagraph(text).trim()).not.toBe("");
      }),
      { numRuns: slowRuns(40) },
    );
  });

  it("shows ten fields at most", () => {
    const fields = Array.from({ length: 12 }, (_, index) => ({ label: "n", value: String(index) }));
    expect(textsOf({ fields })[2]?.split("<br>")).toHaveLength(maxFields);
  });
});

const url = "https://chat.googleapis.com/v1/spaces/AAAAs3cret/messages?key=s3cretKey01&token=s3cretToken01%3D";

function send(status: number, body: string, more: { thread?: string; url?: string } = {}) {
  const settings = { ...more, url: { env: "URL" } };
  return sendScripted(googleChat, settings, [{ status, body }], { env: { URL: more.url ?? url } });
}

const stored = '{"name":"spaces/AAAA/messages/B.B","thread":{"name":"spaces/AAAA/threads/B"}}';
const error = (code: number, status: string, details?: object[]): string =>
  JSON.stringify({ error: { code, status, message: "So it is", details } });

describe("the Google Chat channel", () => {
  it("sends the delivery's id along, so that a repeat is no second message", async () => {
    const { requests } = await send(200, stored);
    expect(requests[0]?.url).toBe(`${url}&requestId=msg_1&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD`);
    // That Google knows these parameters is for the compiler to say.
    type Create = chat_v1.Params$Resource$Spaces$Messages$Create;
    const known: (keyof Create)[] = ["requestId", "messageReplyOption"];
    expect([...new URL(requests[0]?.url ?? "").searchParams.keys()]).toEqual(["key", "token", ...known]);
    expect(googleChat.isRepeatHarmless).toBe(true);
    const alone = await send(200, stored, { thread: "none" });
    expect(alone.requests[0]?.url).toBe(`${url}&requestId=msg_1`);
  });

  it("reads what Google Chat answers", () =>
    everyRow(
      [
        [400, error(400, "INVALID_ARGUMENT"), "rejected", /report.*So it is/],
        [400, error(400, "INVALID_ARGUMENT", [{ reason: "API_KEY_INVALID" }]), "unauthorized", /new webhook/],
        [400, error(400, "FAILED_PRECONDITION"), "rejected", /settings/],
        [401, error(401, "UNAUTHENTICATED"), "unauthorized", /new webhook/],
        [403, error(403, "PERMISSION_DENIED"), "unauthorized", /administrator/],
        [404, error(404, "NOT_FOUND"), "gone", /new webhook/],
        [409, error(409, "ABORTED"), "serverError", /Google Chat has a problem/],
        [429, error(429, "RESOURCE_EXHAUSTED"), "rateLimited", /too many/],
        [500, error(500, "INTERNAL"), "serverError", /Google Chat has a problem/],
        [503, error(503, "UNAVAILABLE"), "serverError", /Google Chat has a problem/],
        [504, error(504, "DEADLINE_EXCEEDED"), "serverError", /Google Chat has a problem/],
        [400, error(400, "toString", [null as never]), "rejected", /400/],
        [200, "<html>hotel</html>", "rejected", /not as Google Chat/],
        [200, "{}", "rejected", /not as Google Chat/],
      ],
      async ([status, body, reason, detail]) => {
        const { outcome } = await send(status, body);
        expect(outcome).toMatchObject({ status: "failed", reason, detail: expect.stringMatching(detail) });
      },
      (row) => JSON.stringify(row),
    ));

  it.each([
    "https://chat.googleapis.com/v1/spaces/AAAAs3cret/messages",
    "https://chat.googleapis.com/v1/spaces/AAAAs3cret/messages?key=s3cret",
    "https://chat.googleapis.com/?key=s3cret&token=s3cret",
  ])("says that %s is not all of a webhook's URL, when the rules are loaded and when sending", async (bad) => {
    const issue = googleChat.settings.safeParse({ url: bad }).error?.issues[0]?.message;
    const { outcome, requests } = await send(200, stored, { url: bad });
    expect(requests).toEqual([]);
    expect(issue).toMatch(/not all of/);
    expect(outcome).toMatchObject({ reason: "rejected", detail: expect.stringMatching(/not all of/) });
    expect(JSON.stringify([issue, outcome])).not.toContain("s3cret");
  });

  it("takes a whole one", () => expect(googleChat.settings.safeParse({ url }).error).toBeUndefined());
});
