import type {
  RESTPatchAPIWebhookWithTokenMessageJSONBody,
  RESTPostAPIWebhookWithTokenJSONBody,
} from "discord-api-types/v10";
import { EmbedAssertions, embedLength } from "@discordjs/builders";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  escapeDiscord,
  maxFieldNameLength,
  maxFieldValueLength,
  maxDescription,
  maxTitle,
  maxTotal,
  maxFieldCount,
  toDiscordMessage,
  type DiscordMessage,
} from "../../../../src/channels/chat/discord/message.ts";
import { discord } from "../../../../src/channels/chat/discord/discord.ts";
import { printable, withoutControls } from "../../../../src/model/text.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { editWebhookMessage, executeWebhook } from "./openapi.ts";
import {
  probeScripted,
  sampleMessage,
  sendScripted,
  type ScriptedAnswer,
} from "../../../support/receivers/scripted-answers.ts";
import { type Level, levels } from "../../../../src/model/level.ts";
import { slowRuns } from "../../../support/random/slow-runs.ts";
import { everyRow } from "../../../support/rows.ts";

function textsOf(made: DiscordMessage): string[] {
  const [{ title, description, fields = [] }] = made.embeds;
  return [
    title,
    ...(description === undefined ? [] : [description]),
    ...fields.flatMap(({ name, value }) => [name, value]),
  ];
}

/** What Discord's OpenAPI and the checks of its most used library have against a message; they throw. */
function checkMessage(made: DiscordMessage): void {
  executeWebhook.parse(made);
  const { flags: _, ...edit } = made;
  editWebhookMessage.parse(edit);
  const [embed] = made.embeds;
  EmbedAssertions.titlePredicate.parse(embed.title);
  EmbedAssertions.descriptionPredicate.parse(embed.description ?? null);
  EmbedAssertions.colorPredicate.parse(embed.color);
  EmbedAssertions.embedFieldsArrayPredicate.parse(embed.fields ?? []);
  EmbedAssertions.fieldLengthPredicate.parse(embed.fields?.length ?? 0);
  expect(embedLength(embed)).toBeLessThanOrEqual(maxTotal);
}

/** Discord's Markdown, read strictly: only backslash and punctuation, and characters that open nothing. */
const plainMarkdown = /^(?:\\[!-/:-@[-`{-~]|[^\\*_~`|>#\-+[\]()<@:.])*$/u;
const unescaped = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, "$1");

describe("toDiscordMessage", () => {
  it("is what Discord's own types say", () => {
    const made = toDiscordMessage(sampleMessage({}), "Stop");
    made satisfies RESTPostAPIWebhookWithTokenJSONBody;
    made satisfies RESTPatchAPIWebhookWithTokenMessageJSONBody;
    expect(made).toEqual({
      embeds: [
        {
          title: "shop\\: done",
          description: "All tests pass\\.",
          color: 0x2eb67d,
          fields: [{ name: "project", value: "shop", inline: true }],
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });

  it("would be told what is wrong", () => {
    const [embed] = toDiscordMessage(sampleMessage({}), "Stop").embeds;
    const wrong = [{ title: "x".repeat(257) }, { description: "x".repeat(4097) }, { color: 0x1000000 }, { nope: 1 }];
    for (const each of wrong) expect(executeWebhook.safeParse({ embeds: [{ ...embed, ...each }] }).success).toBe(false);
    const fields = (count: number, value: string) => Array.from({ length: count }, () => ({ name: "n", value }));
    for (const each of [fields(26, "v"), fields(1, "x".repeat(1025)), [{ name: "n" }]])
      expect(executeWebhook.safeParse({ embeds: [{ ...embed, fields: each }] }).success).toBe(false);
    expect(editWebhookMessage.safeParse({ embeds: [embed], flags: 4096 }).success).toBe(false);
  });

  it("has a colour of its own for each level", () => {
    const colours = levels.map((level) => toDiscordMessage(sampleMessage({ level }), "Stop").embeds[0].color);
    expect(colours).toEqual([0x439fe0, 0x2eb67d, 0xe8a317, 0xd64545]);
  });

  it("rings nothing for what is only info, and says so in new messages alone: an edit takes no such flag", () => {
    const flags = (level: Level, isEdit: boolean) => toDiscordMessage(sampleMessage({ level }), "Stop", isEdit).flags;
    expect(levels.map((level) => flags(level, false))).toEqual([4096, undefined, undefined, undefined]);
    for (const level of levels) editWebhookMessage.parse(toDiscordMessage(sampleMessage({ level }), "Stop", true));
    expect(flags("info", true)).toBeUndefined();
  });

  it("shows whatever a stranger wrote as it is", () =>
    everyRow(
      adversarialTexts,
      (text) => {
        const made = toDiscordMessage(
          sampleMessage({ title: text, body: text, fields: [{ label: text, value: text }] }),
          "Stop",
        );
        checkMessage(made);
        for (const shown of textsOf(made)) {
          expect(shown).toMatch(plainMarkdown);
          expect(shown.isWellFormed()).toBe(true);
          expect(shown).toBe(withoutControls(shown));
        }
        const { description = "" } = made.embeds[0];
        const whole = printable(text).trim();
        if (description.endsWith("…")) expect(whole.startsWith(unescaped(description).slice(0, -1))).toBe(true);
        else expect(unescaped(description)).toBe(whole);
      },
      (text) => JSON.stringify(text.slice(0, 40)),
    ));

  it.each([
    ["a title in ASCII", "x", 1],
    ["an astral title", "😀", 2],
    ["a title that is all escapes", "*", 2],
  ])("cuts %s only beyond the limit", (_, unit, cost) => {
    const shown = (count: number): string =>
      toDiscordMessage(sampleMessage({ title: unit.repeat(count) }), "Stop").embeds[0].title;
    expect(shown(maxTitle / cost)).toBe(escapeDiscord(unit).repeat(maxTitle / cost));
    const over = shown(maxTitle / cost + 1);
    expect(over).toMatch(/[^…]…$/);
    expect(over.replace("…", "")).toBe(escapeDiscord(unit).repeat(Math.floor((maxTitle - 1) / cost)));
  });

  it.each([
    ["a body in ASCII", "x", 1],
    ["an astral body", "😀", 2],
    ["a body that is all escapes", "[", 2],
  ])("cuts %s only beyond the limit", (_, unit, cost) => {
    const shown = (count: number): string | undefined =>
      toDiscordMessage(sampleMessage({ body: unit.repeat(count) }), "Stop").embeds[0].description;
    expect(shown(maxDescription / cost)).toBe(escapeDiscord(unit).repeat(maxDescription / cost));
    expect(shown(maxDescription / cost + 1)).toBe(
      `${escapeDiscord(unit).repeat(Math.floor((maxDescription - 1) / cost))}…`,
    );
  });

  it("keeps to every limit, and to the one of all text, whatever the text", () => {
    const wild = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constantFrom("*", "😀", "👩‍👩‍👧", "x", "\\", "a\n").map((unit) => unit.repeat(20_000 / unit.length)),
    );
    fc.assert(
      fc.property(wild, wild, wild, fc.nat({ max: 40 }), (title, body, text, count) => {
        const fields = Array.from({ length: count }, () => ({ label: text, value: text }));
        const made = toDiscordMessage(sampleMessage({ title, body, fields }), "Stop");
        const total = textsOf(made).reduce((sum, shown) => sum + shown.length, 0);
        expect(total).toBeLessThanOrEqual(maxTotal);
        checkMessage(made);
        const [embed] = made.embeds;
        expect(embed.title.trim().length).toBeGreaterThan(0);
        expect(embed.title.length).toBeLessThanOrEqual(maxTitle);
        expect(embed.description?.length ?? 1).toBeLessThanOrEqual(maxDescription);
        expect(embed.description?.length ?? 1).toBeGreaterThan(0);
        expect(embed.fields?.length ?? 1).toBeLessThanOrEqual(maxFieldCount);
        for (const { name, value } of embed.fields ?? []) {
          expect(name.length).toBeGreaterThan(0);
          expect(value.length).toBeGreaterThan(0);
          expect(name.length).toBeLessThanOrEqual(maxFieldNameLength);
          expect(value.length).toBeLessThanOrEqual(maxFieldValueLength);
        }
      }),
      { numRuns: slowRuns(40) },
    );
  });

  it("leaves out what Discord refuses empty", () => {
    const fields = [
      { label: "", value: "kept" },
      { label: "gone", value: " \n" },
    ];
    const made = toDiscordMessage(sampleMessage({ title: " ", body: "", fields }), "SessionEnd");
    expect(made.embeds).toEqual([
      { title: "SessionEnd", color: 0x2eb67d, fields: [{ name: "\u200B", value: "kept", inline: true }] },
    ]);
  });
});

const url = "https://discord.com/api/webhooks/112233445566778899/s3cretTokenOfDiscord";

function send(
  answers: ScriptedAnswer[],
  more: { threadId?: string; update?: "new" | "replace"; url?: string } = {},
  remembered?: Record<string, string>,
) {
  const settings = { ...more, url: { env: "URL" } };
  return sendScripted(discord, settings, answers, { env: { URL: more.url ?? url }, remembered });
}

const coded = (status: number, code: number): ScriptedAnswer => ({
  status,
  body: JSON.stringify({ code, message: "So it is" }),
});
const stored = { status: 200, body: JSON.stringify({ id: "1330000000000000001" }) };

describe("the Discord channel", () => {
  it("reads what Discord answers", () =>
    everyRow(
      [
        [coded(404, 10_015), "gone", /make a new webhook/],
        [coded(404, 10_003), "gone", /threadId/],
        [coded(400, 40_005), "rejected", /report/],
        [coded(403, 40_333), "rejected", /report/],
        [coded(400, 50_006), "rejected", /report/],
        [coded(403, 50_013), "unauthorized", /allow it/],
        [coded(401, 50_027), "unauthorized", /make a new webhook/],
        [coded(400, 50_035), "rejected", /report.*So it is/],
        [coded(400, 50_083), "rejected", /open it again/],
        [coded(400, 50_109), "rejected", /report/],
        [coded(400, 160_005), "rejected", /unlock/],
        [coded(400, 220_001), "rejected", /threadId/],
        [coded(400, 220_003), "rejected", /threadId/],
        [coded(400, 240_000), "rejected", /filter/],
        [coded(404, 99), "gone", /404/],
        [{ status: 429, body: "error code: 1015" }, "rateLimited", /429/],
        [{ status: 403, body: "<html>Cloudflare</html>" }, "unauthorized", /403/],
        [{ status: 500, body: "{}" }, "serverError", /500/],
        [{ status: 200, body: "<html>hotel</html>" }, "rejected", /not as Discord/],
        [{ status: 200, body: "[]" }, "rejected", /not as Discord/],
        [{ status: 204, body: "" }, "rejected", /not as Discord/],
      ],
      async ([answer, reason, detail]) => {
        const { outcome } = await send([answer]);
        expect(outcome).toMatchObject({ status: "failed", reason, detail: expect.stringMatching(detail) });
      },
      (row) => JSON.stringify(row),
    ));

  it.each([
    [0.25, 250],
    [39.517, 39_517],
    [0, 0],
  ])("waits the %f s that a 429 asks for", async (retryAfter, retryAfterMs) => {
    const body = JSON.stringify({ message: "You are being rate limited.", retry_after: retryAfter, global: false });
    const { outcome } = await send([{ status: 429, body }]);
    expect(outcome).toMatchObject({ reason: "rateLimited", retryAfterMs });
  });

  it("waits for the message to be stored, in the thread it is told", async () => {
    const { requests } = await send([stored], { threadId: "998877665544332211" });
    expect(requests).toMatchObject([{ method: "POST", url: `${url}?wait=true&thread_id=998877665544332211` }]);
  });

  it("remembers nothing where every message is new", async () => {
    const { outcome, requests } = await send([stored], {}, { message: "1" });
    expect(outcome).toEqual({ status: "delivered" });
    expect(requests[0]?.method).toBe("POST");
  });

  it("edits the session's earlier message", async () => {
    const first = await send([stored], { update: "replace" });
    expect(first.outcome).toEqual({ status: "delivered", remember: { message: "1330000000000000001", thread: "" } });
    const second = await send([stored], { update: "replace" }, { message: "133", thread: "" });
    expect(second.requests).toMatchObject([{ method: "PATCH", url: `${url}/messages/133` }]);
    expect(second.outcome).toEqual(first.outcome);
    const threadId = "998877665544332211";
    const inThread = await send([stored], { update: "replace", threadId }, { message: "133", thread: threadId });
    expect(inThread.requests).toMatchObject([
      { method: "PATCH", url: `${url}/messages/133?thread_id=998877665544332211` },
    ]);
    const elsewhere = await send([stored], { update: "replace", threadId }, { message: "133", thread: "" });
    expect(elsewhere.requests).toMatchObject([{ method: "POST" }]);
  });

  it.each([10_008, 30_046, 50_005])("sends a new message when the earlier one is gone (%i)", async (code) => {
    const { outcome, requests } = await send([coded(404, code), stored], { update: "replace" }, { message: "133" });
    expect(requests.map(({ method }) => method)).toEqual(["PATCH", "POST"]);
    expect(outcome).toEqual({ status: "delivered", remember: { message: "1330000000000000001", thread: "" } });
  });

  it("sends nothing more when the webhook itself is gone, or Discord is down", async () => {
    for (const answer of [coded(404, 10_015), { status: 503, body: "" }]) {
      const { requests } = await send([answer], { update: "replace" }, { message: "133" });
      expect(requests).toHaveLength(1);
    }
  });

  it("says what is wrong with its URL, when the rules are loaded and when sending", () =>
    everyRow(
      [
        [`${url}/slack`, /another format/],
        [`${url}/github`, /another format/],
        ["https://discord.com/channels/1/2", /copy it/],
        ["https://discord.gg/abc", /copy it/],
        ["https://chat.example.org/abc", undefined],
        ["https://ptb.discord.com/api/v10/webhooks/112233445566778899/abc-_X", undefined],
        ["https://discordapp.com/api/webhooks/112233445566778899/abc", undefined],
      ],
      async ([bad, problem]) => {
        const issue = discord.settings.safeParse({ url: bad }).error?.issues[0]?.message;
        const { outcome } = await send([stored], { url: bad });
        if (problem === undefined) {
          expect([issue, outcome.status]).toEqual([undefined, "delivered"]);
        } else {
          expect(issue).toMatch(problem);
          expect(outcome).toMatchObject({ reason: "rejected", detail: expect.stringMatching(problem) });
          expect(JSON.stringify([issue, outcome])).not.toContain("s3cret");
        }
      },
      (row) => JSON.stringify(row),
    ));

  it.each(["12", "12345678901234567a", 998877665544332211n])("refuses %s as a thread's id", (threadId) => {
    expect(discord.settings.safeParse({ url, threadId }).success).toBe(false);
  });

  it.each([
    [stored, { status: "ok" }],
    [coded(404, 10_015), { status: "broken", detail: expect.stringMatching(/deleted/), fix: expect.any(String) }],
    [
      { status: 200, body: "<html>hotel</html>" },
      { status: "broken", detail: "answered 200" },
    ],
  ])("is asked for without sending: %o", async (answer, expected) => {
    const { result, requests } = await probeScripted(discord, { url }, answer);
    expect(result).toMatchObject(expected);
    expect(requests).toEqual([{ method: "GET", url, isPlainHttpAllowed: undefined }]);
  });
});
