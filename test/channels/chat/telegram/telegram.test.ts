import type { Opts } from "@grammyjs/types";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  maxField,
  maxFields,
  maxText,
  maxTitle,
  toTelegramText,
  withoutEntities,
} from "../../../../src/channels/chat/telegram/message.ts";
import { telegram } from "../../../../src/channels/chat/telegram/telegram.ts";
import { resolveSecrets } from "../../../../src/system/secrets.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { localTools } from "../../../support/channels/channel-request.ts";
import {
  probeScripted,
  sampleMessage,
  sendScripted,
  type ScriptedAnswer,
} from "../../../support/receivers/scripted-answers.ts";
import { type Level, levels } from "../../../../src/model/level.ts";
import { slowRuns } from "../../../support/random/slow-runs.ts";
import { everyRow } from "../../../support/rows.ts";

/** Telegram's HTML, read strictly: one `<b>` around the title, and the three entities it has to be escaped with. */
function readTelegramHtml(html: string): string {
  const [, before = "", title = "", after = ""] = /^([^<>&]*)<b>([^<>]*)<\/b>([^<>]*)$/.exec(html) ?? [];
  expect(before + title, `a bold title in ${html.slice(0, 100)}`).not.toBe("");
  const text = before + title + after;
  expect(text.replace(/&(?:amp|lt|gt);/g, "")).not.toContain("&");
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

describe("toTelegramText", () => {
  it("shows title, body and fields", () => {
    expect(toTelegramText(sampleMessage({}), "Stop")).toBe("🟢 <b>shop: done</b>\n\nAll tests pass.\n\nproject: shop");
    expect(toTelegramText(sampleMessage({ title: "", body: " ", fields: [] }), "Stop")).toBe("🟢 <b>Stop</b>");
  });

  it("has a mark of its own for each level", () => {
    const marks = levels.map((level) => [...toTelegramText(sampleMessage({ level }), "Stop")][0]);
    expect(marks).toEqual(["🔵", "🟢", "🟡", "🔴"]);
  });

  it("shows whatever a stranger wrote as it is", () =>
    everyRow(
      adversarialTexts,
      (text) => {
        const html = toTelegramText(
          sampleMessage({ title: text, body: text, fields: [{ label: text, value: text }] }),
          "Stop",
        );
        const shown = readTelegramHtml(html);
        expect(shown.length).toBeLessThanOrEqual(maxText);
        expect(html.isWellFormed()).toBe(true);
        // What Telegram would ping, send as a command, or open inside itself.
        expect(shown).not.toMatch(/(?<!\w)@\w|(?<![\w/<>])\/\w+(?![\w/<>])|tg:\/\//i);
        expect(html).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
      },
      (text) => JSON.stringify(text.slice(0, 40)),
    ));

  it("leaves paths and addresses as they are, to be copied", () =>
    everyRow(
      ["/srv/shop/cart.ts", "see /etc/hosts.", "a/b", "https://example.org/a", "x@", "1 / 2", "me@example.org"],
      (text) => expect(withoutEntities(text)).toBe(text),
    ));

  // The level's mark has two units, then come a space, a title of one and two line ends.
  const bodyRoom = maxText - 6;
  it.each([
    ["ASCII", "x", "x"],
    ["astral characters", "😀", "😀"],
    ["characters that all need escaping", "<", "&lt;"],
  ])("counts %s as Telegram does, after the entities are parsed", (_, unit, escaped) => {
    const shown = (count: number): string =>
      toTelegramText(sampleMessage({ title: "t", body: unit.repeat(count), fields: [] }), "Stop");
    const most = bodyRoom / unit.length;
    expect(shown(most)).toBe(`🟢 <b>t</b>\n\n${escaped.repeat(most)}`);
    expect(shown(most + 1)).toBe(`🟢 <b>t</b>\n\n${escaped.repeat(Math.floor((bodyRoom - 1) / unit.length))}…`);
    expect(readTelegramHtml(shown(most)).length).toBe(maxText);
  });

  it("keeps to the limit whatever the texts", () => {
    const wild = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constantFrom("<", "@a", "/a ", "😀", "👩‍👩‍👧", "x", "a\n").map((unit) => unit.repeat(20_000 / unit.length)),
    );
    fc.assert(
      fc.property(wild, wild, wild, fc.nat({ max: 40 }), (title, body, value, count) => {
        const fields = Array.from({ length: count }, () => ({ label: "label", value }));
        const shown = readTelegramHtml(toTelegramText(sampleMessage({ title, body, fields }), "Stop"));
        expect(shown.length).toBeLessThanOrEqual(maxText);
        expect(shown.length).toBeGreaterThan(3);
      }),
      { numRuns: slowRuns(40) },
    );
    // Title and fields at their longest leave most of it to the body.
    expect(maxText - maxTitle - maxFields * (maxField + 1)).toBeGreaterThan(2000);
  });
});

const token = "123456789:s3cretTokenOfTelegram_01234-x";

async function send(
  answers: ScriptedAnswer[],
  more: Record<string, unknown> = {},
  remembered?: Record<string, string>,
  level: Level = "success",
) {
  const settings = { token: { env: "TOKEN" }, chat: -100123, ...more };
  const env = { TOKEN: token, BAD: "../s3cret/getUpdates?" };
  const { outcome, requests } = await sendScripted(telegram, settings, answers, {
    env,
    remembered,
    message: { level },
  });
  return { outcome, requests, bodies: requests.map(({ body }) => JSON.parse(body ?? "") as unknown) };
}

const refused = (code: number, description: string, parameters?: object): ScriptedAnswer => ({
  status: code,
  body: JSON.stringify({ ok: false, error_code: code, description, parameters }),
});
const sent = { status: 200, body: JSON.stringify({ ok: true, result: { message_id: 7 } }) };

describe("the Telegram channel", () => {
  it("sends what Telegram's types say", async () => {
    const { requests, bodies } = await send([sent], { threadId: 3 });
    const expected = {
      chat_id: -100123,
      message_thread_id: 3,
      disable_notification: false,
      text: "🟢 <b>shop: done</b>\n\nAll tests pass.",
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
    } satisfies Opts<never>["sendMessage"];
    expect(bodies).toEqual([expected]);
    expect(requests[0]?.url).toBe(`https://api.telegram.org/bot${token}/sendMessage`);
  });

  it.each(levels)("rings for %s unless it is only information", async (level) => {
    const { bodies } = await send([sent], {}, undefined, level);
    expect(bodies[0]).toMatchObject({ disable_notification: level === "info" });
  });

  it("reads what Telegram answers", () =>
    everyRow(
      [
        [refused(400, "Bad Request: group chat was upgraded to a supergroup chat"), "gone", /new id/],
        [refused(400, "Bad Request: chat not found"), "gone", /correct "chat"/],
        [refused(400, "Bad Request: message thread not found"), "gone", /threadId/],
        [refused(400, "Bad Request: TOPIC_CLOSED"), "gone", /open it/],
        [refused(400, "Bad Request: PEER_ID_INVALID"), "gone", /correct "chat"/],
        [refused(403, "Forbidden: the group chat was deleted"), "gone", /correct "chat"/],
        [refused(403, "Forbidden: user is deactivated"), "gone", /correct "chat"/],
        [refused(403, "Forbidden: bot was blocked by the user"), "unauthorized", /unblock/],
        [refused(403, "Forbidden: bot was kicked from the supergroup chat"), "unauthorized", /member/],
        [
          refused(403, "Forbidden: bot can't initiate conversation with a user"),
          "unauthorized",
          /write to the bot once/,
        ],
        [refused(403, "Forbidden: something new"), "unauthorized", /member.*something new/],
        [refused(400, "Bad Request: not enough rights to send text messages to the chat"), "unauthorized", /member/],
        [refused(400, "Bad Request: can't parse entities: whatever"), "rejected", /report/],
        [refused(400, "Bad Request: message is too long"), "rejected", /report/],
        [refused(400, "Bad Request: something new"), "rejected", /something new/],
        [refused(401, "Unauthorized"), "unauthorized", /token is wrong/],
        [refused(404, "Not Found"), "unauthorized", /token is wrong/],
        [refused(429, "Too Many Requests: retry after 5"), "rateLimited", /429/],
        [refused(500, "Internal Server Error"), "serverError", /500/],
        [{ status: 200, body: refused(400, "Bad Request: chat not found").body }, "gone", /correct "chat"/],
        [{ status: 200, body: refused(418, "Teapot").body }, "rejected", /Teapot/],
        [{ status: 200, body: "<html>hotel</html>" }, "rejected", /not as Telegram/],
        [{ status: 200, body: "null" }, "rejected", /not as Telegram/],
      ],
      async ([answer, reason, detail]) => {
        const { outcome } = await send([answer]);
        expect(outcome).toMatchObject({ status: "failed", reason, detail: expect.stringMatching(detail) });
      },
      (row) => JSON.stringify(row),
    ));

  const moved = refused(400, "Bad Request: group chat was upgraded to a supergroup chat", {
    migrate_to_chat_id: -1009,
  });

  it("follows a group that became a supergroup, once, and says what to set", async () => {
    for (const remembered of [undefined, { message: "6", chat: "-100123" }]) {
      const { outcome, bodies } = await send([moved, sent], { update: "replace" }, remembered);
      expect(bodies.map((body) => (body as { chat_id: number }).chat_id)).toEqual([-100123, -1009]);
      expect(bodies[1]).not.toHaveProperty("message_id");
      // Nothing to edit: the settings still name the old group.
      expect(outcome).toEqual({ status: "delivered", detail: expect.stringMatching(/set "chat" to -1009$/) });
    }
    const lost = await send([moved, moved]);
    expect(lost.requests).toHaveLength(2);
    expect(lost.outcome).toMatchObject({ reason: "gone", detail: expect.stringMatching(/"chat" to -1009/) });
    const elsewhere = await send([moved, refused(403, "Forbidden: bot was kicked from the supergroup chat")]);
    expect(elsewhere.outcome).toMatchObject({ reason: "unauthorized" });
  });

  it("waits as long as a 429 asks for, even minutes", async () => {
    const { outcome } = await send([refused(429, "Too Many Requests: retry after 305", { retry_after: 305 })]);
    expect(outcome).toMatchObject({ reason: "rateLimited", retryAfterMs: 305_000 });
  });

  it("edits the session's earlier message in the same chat, and sends a new one in another", async () => {
    const first = await send([sent], { update: "replace" });
    expect(first.outcome).toEqual({ status: "delivered", remember: { message: "7", chat: "-100123" } });
    const second = await send([sent], { update: "replace" }, { message: "7", chat: "-100123" });
    const edit = {
      chat_id: -100123,
      message_id: 7,
      text: "🟢 <b>shop: done</b>\n\nAll tests pass.",
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
    } satisfies Opts<never>["editMessageText"];
    expect(second.bodies).toEqual([edit]);
    expect(second.requests[0]?.url).toMatch(/\/editMessageText$/);
    const topic = await send([sent], { update: "replace", threadId: 3 }, { message: "7", chat: "-100123" });
    expect(topic.requests[0]?.url).toMatch(/\/sendMessage$/);
    expect(topic.outcome).toEqual({ status: "delivered", remember: { message: "7", chat: "-100123/3" } });
    const again = await send([sent], { update: "replace", threadId: 3 }, { message: "7", chat: "-100123/3" });
    expect(again.requests[0]?.url).toMatch(/\/editMessageText$/);
    const elsewhere = await send([sent], { update: "replace", chat: "@shop_news" }, { message: "7", chat: "-100123" });
    expect(elsewhere.requests[0]?.url).toMatch(/\/sendMessage$/);
    expect(elsewhere.outcome).toEqual({ status: "delivered", remember: { message: "7", chat: "@shop_news" } });
  });

  it.each([
    "Bad Request: message to edit not found",
    "Bad Request: message can't be edited",
    "Bad Request: MESSAGE_ID_INVALID",
  ])("sends a new message after %s", async (description) => {
    const remembered = { message: "6", chat: "-100123" };
    const { outcome, requests } = await send([refused(400, description), sent], { update: "replace" }, remembered);
    expect(requests.map(({ url }) => url.split("/").at(-1))).toEqual(["editMessageText", "sendMessage"]);
    expect(outcome).toEqual({ status: "delivered", remember: { message: "7", chat: "-100123" } });
  });

  it("takes a message that says so already for delivered", async () => {
    const remembered = { message: "6", chat: "-100123" };
    const same = refused(400, "Bad Request: message is not modified: specified new message content is the same");
    const { outcome } = await send([same], { update: "replace" }, remembered);
    expect(outcome).toEqual({ status: "delivered", detail: expect.any(String), remember: remembered });
  });

  it("asks nothing with what is no token", async () => {
    const bad = await resolveSecrets(
      telegram.settings.parse({ token: { env: "BAD" }, chat: 1 }),
      { BAD: "../s3cret" },
      "/",
    );
    expect(await telegram.probe?.(bad as never, localTools({}, "/nowhere"))).toMatchObject({
      status: "broken",
      detail: expect.stringMatching(/^the token is not/),
    });
  });

  it("sends nothing to another place of the Bot API, whatever the token", async () => {
    const { outcome, requests } = await send([], { token: { env: "BAD" } });
    expect(requests).toEqual([]);
    expect(outcome).toMatchObject({ reason: "rejected", detail: expect.stringMatching(/token is not/) });
    expect(JSON.stringify(outcome)).not.toContain("s3cret");
  });

  it.each([
    [{ token: "nonsense-s3cret", chat: 1 }, /token is not/],
    [{ token, chat: "shop" }, /chat's id/],
    [{ token, chat: 1.5 }, /chat's id/],
    [{ token, chat: "@x" }, /chat's id/],
  ])("refuses %o when the rules are loaded", (settings, problem) => {
    const { error } = telegram.settings.safeParse(settings);
    expect(error?.issues.map(({ message: said }) => said).join()).toMatch(problem);
    expect(JSON.stringify(error?.issues)).not.toContain("s3cret");
  });

  it.each([1, -1001234567890, "-1001234567890", "@shop_news"])("takes %s for a chat", (chat) => {
    expect(telegram.settings.safeParse({ token, chat }).error).toBeUndefined();
  });

  it.each([
    [{ status: 200, body: '{"ok":true,"result":{"id":-100123}}' }, { status: "ok" }],
    [
      refused(400, "Bad Request: chat not found"),
      { status: "broken", detail: expect.stringMatching(/correct "chat"/) },
    ],
    [refused(401, "Unauthorized"), { status: "broken", detail: expect.stringMatching(/token is wrong/) }],
    [
      { status: 502, body: "" },
      { status: "broken", detail: "answered 502" },
    ],
  ])("is asked for the chat without sending: %o", async (answer, expected) => {
    const { result, requests } = await probeScripted(telegram, { token, chat: -100123 }, answer);
    expect(result).toMatchObject(expected);
    expect(requests).toMatchObject([
      { url: `https://api.telegram.org/bot${token}/getChat`, body: '{"chat_id":-100123}' },
    ]);
  });
});
