// Feishu, DingTalk and WeCom: plain text, a number in each answer, and a signature.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dingtalk, signDingtalk } from "../../../src/channels/chat/dingtalk/dingtalk.ts";
import { feishu, signFeishu } from "../../../src/channels/chat/feishu/feishu.ts";
import { wecom } from "../../../src/channels/chat/wecom/wecom.ts";
import { adversarialTexts } from "../../support/channels/adversarial-texts.ts";
import { push, textsIn, verdict } from "../../support/channels/pushed.ts";
import { type Level, levels } from "../../../src/model/level.ts";
import { slowRuns } from "../../support/random/slow-runs.ts";
import { everyRow } from "../../support/rows.ts";

const bytes = (text: string): number => Buffer.byteLength(text, "utf8");
const minute = 60_000;

const channels = {
  feishu: { channel: feishu, settings: { url: "https://open.feishu.cn/open-apis/bot/v2/hook/s3cret" } },
  dingtalk: { channel: dingtalk, settings: { url: "https://oapi.dingtalk.com/robot/send?access_token=s3cret" } },
  wecom: { channel: wecom, settings: { url: "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=s3cret" } },
};
type Name = keyof typeof channels;

const pushTo = (name: Name, more: Parameters<typeof push>[2] = {}, settings: Record<string, unknown> = {}) =>
  push(channels[name].channel, { ...channels[name].settings, ...settings }, more);

describe("signatures", () => {
  it("are Feishu's", () => {
    expect(signFeishu("demo", 1599360473)).toBe("l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8=");
  });

  it("are DingTalk's, in the query as it wants them", async () => {
    expect(encodeURIComponent(signDingtalk("SECdemo", 1599360473000))).toBe(
      "tGWkA5eQOQNCNPDgphtxIoNLO%2B%2FgD8Lcb705KQoRzeY%3D",
    );
    const { request } = await pushTo("dingtalk", {}, { secret: "SECdemo" });
    const url = new URL(request?.url ?? "");
    const timestamp = Number(url.searchParams.get("timestamp"));
    expect(String(timestamp)).toMatch(/^\d{13}$/);
    expect(url.searchParams.get("access_token")).toBe("s3cret");
    expect(request?.url).toMatch(
      new RegExp(`&sign=${encodeURIComponent(signDingtalk("SECdemo", timestamp)).replaceAll(".", "\\.")}$`),
    );
  });

  it("stand in Feishu's body, with the time in seconds as a string", async () => {
    const { request, body } = await pushTo("feishu", {}, { secret: "demo" });
    expect(request?.url).toBe(channels.feishu.settings.url);
    expect(body.timestamp).toMatch(/^\d{10}$/);
    expect(body.sign).toBe(signFeishu("demo", Number(body.timestamp)));
    expect(Object.keys(body)).toEqual(["timestamp", "sign", "msg_type", "card"]);
  });

  it("are left out where the bot has no secret", async () => {
    expect((await pushTo("dingtalk")).request?.url).toBe(channels.dingtalk.settings.url);
    expect(Object.keys((await pushTo("feishu")).body)).toEqual(["msg_type", "card"]);
  });
});

describe("what is sent", () => {
  const fields = [{ label: "project", value: "shop" }];

  it("is a card for Feishu, all of it plain text", async () => {
    const { body } = await pushTo("feishu", { message: { fields } });
    expect(body).toEqual({
      msg_type: "interactive",
      card: {
        header: { title: { tag: "plain_text", content: "shop: done" }, template: "green" },
        elements: [
          { tag: "div", text: { tag: "plain_text", content: "All tests pass." } },
          { tag: "div", fields: [{ is_short: true, text: { tag: "plain_text", content: "project: shop" } }] },
        ],
      },
    });
  });

  const content = "🟢 shop: done\n\nAll tests pass.\n\nproject: shop";
  it("is a text for DingTalk, to no one in particular", async () => {
    const { body } = await pushTo("dingtalk", { message: { fields } });
    expect(body).toEqual({ msgtype: "text", text: { content }, at: { atMobiles: [], isAtAll: false } });
  });

  it("is a text for WeCom", async () => {
    const { body } = await pushTo("wecom", { message: { fields } });
    expect(body).toEqual({ msgtype: "text", text: { content } });
  });

  it.each(["feishu", "dingtalk", "wecom"] as const)("says something of nothing to %s", async (name) => {
    const { body } = await pushTo(name, { message: { title: " ", body: "\u0000", fields: [] } });
    expect(textsIn(body).filter((text) => text.includes("Stop"))).toHaveLength(1);
    expect(textsIn(body)).not.toContain("");
  });

  it.each(["feishu", "dingtalk", "wecom"] as const)("looks different for each level in %s", async (name) => {
    const shown = await Promise.all(levels.map((level: Level) => pushTo(name, { message: { level } })));
    expect(new Set(shown.map(({ body }) => JSON.stringify(body))).size).toBe(levels.length);
  });
});

describe("the text of strangers", () => {
  const mentions = [
    '<at user_id="all">everyone</at> <at id=all></at> <at email="a@b.c"></at>',
    "<@all> <@ZhangSan> @all @13800001111",
    "[good](https://evil.example) <font color=\"warning\">x</font> **b** <a href='x'>y</a> :OK: :THUMBSUP:",
    "{{template}} ${variable} #{x} %s",
  ];

  it.each(["feishu", "dingtalk", "wecom"] as const)("mentions no one in %s and keeps to its limits", async (name) => {
    const most = { feishu: 20_000, dingtalk: 20_000, wecom: Infinity }[name];
    for (const text of [...mentions, ...adversarialTexts]) {
      const sent = {
        title: text,
        body: text,
        fields: Array.from({ length: 12 }, () => ({ label: text, value: text })),
      };
      const { request, body } = await pushTo(
        name,
        { message: sent },
        { ...(name !== "wecom" && { secret: "s3cretKey" }) },
      );
      expect(bytes(request?.body ?? "")).toBeLessThanOrEqual(most);
      for (const shown of textsIn(body)) {
        expect(shown.isWellFormed()).toBe(true);
        expect(shown).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
        if (name === "dingtalk") continue;
        expect(shown).not.toMatch(/<[@a-z]/);
      }
      if (name === "dingtalk") expect(body.at).toEqual({ atMobiles: [], isAtAll: false });
      if (name === "feishu") expect(textsIn(body).join(" ")).not.toMatch(/:OK:|:THUMBSUP:/);
      if (name === "wecom") expect(bytes((body.text as { content: string }).content)).toBeLessThanOrEqual(2048);
    }
  });

  it.each([
    ["x", 1],
    ["😀", 4],
    ["<", 4],
  ])("fills WeCom's 2048 bytes with %s, and no more", async (unit, size) => {
    const around = bytes("🟢 shop: done\n\n");
    const fitting = Math.floor((2048 - around) / size);
    const sent = async (times: number): Promise<string> =>
      ((await pushTo("wecom", { message: { body: unit.repeat(times) } })).body.text as { content: string }).content;
    expect(await sent(fitting)).not.toContain("…");
    const longer = await sent(fitting + 1);
    expect(longer).toMatch(/…$/);
    expect(bytes(longer)).toBeLessThanOrEqual(2048);
    expect(bytes(longer)).toBeGreaterThan(2048 - 2 * size - 3);
  });

  it("stays within 2048 bytes, whatever is put together", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 1500 });
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.array(fc.record({ label: text, value: text }), { maxLength: 12 }),
        async (title, body, fields) => {
          const sent = await pushTo("wecom", { message: { title, body, fields } });
          expect(bytes((sent.body.text as { content: string }).content)).toBeLessThanOrEqual(2048);
        },
      ),
      { numRuns: slowRuns(30) },
    );
  });
});

describe("answers", () => {
  const rows: [Name, number, object | string, string, number?][] = [
    ["feishu", 200, { code: 0, msg: "success", data: {} }, "delivered"],
    ["feishu", 200, { StatusCode: 0, StatusMessage: "success" }, "delivered"],
    ["feishu", 200, { StatusCode: 0, StatusMessage: "success", code: 19001, msg: "param invalid" }, "gone"],
    ["feishu", 200, { code: 9499, msg: "Bad Request", data: {} }, "rejected"],
    ["feishu", 200, { StatusCode: 0, code: 9499, msg: "too many request" }, "rateLimited", 10_000],
    ["feishu", 200, { code: 11232, msg: "frequency limited" }, "rateLimited", 10_000],
    ["feishu", 400, { code: 11232, msg: "frequency limited" }, "rateLimited", 10_000],
    ["feishu", 200, { code: 19002, msg: "params error" }, "rejected"],
    ["feishu", 200, { code: 19007, msg: "Bot Not Enabled" }, "gone"],
    ["feishu", 200, { code: 19021, msg: "sign match fail or timestamp is not within one hour" }, "unauthorized"],
    ["feishu", 200, { code: 19022, msg: "Ip Not Allowed" }, "unauthorized"],
    ["feishu", 200, { code: 19024, msg: "Key Words Not Found" }, "rejected"],
    ["feishu", 200, { code: 4711, msg: "?" }, "rejected"],
    ["feishu", 500, { code: 4711, msg: "?" }, "serverError"],
    ["dingtalk", 200, { errcode: 0, errmsg: "ok" }, "delivered"],
    ["dingtalk", 200, { errcode: -1, errmsg: "busy" }, "serverError"],
    [
      "dingtalk",
      200,
      { errcode: 130101, errmsg: "send too fast, exceed 20 times per minute" },
      "rateLimited",
      10 * minute,
    ],
    ["dingtalk", 200, { errcode: 410100, errmsg: "too fast" }, "rateLimited", 10 * minute],
    ["dingtalk", 200, { errcode: 660026, errmsg: "limited" }, "rateLimited", 10 * minute],
    ["dingtalk", 200, { errcode: 300001, errmsg: "token is not exist" }, "gone"],
    ["dingtalk", 200, { errcode: 300005, errmsg: "token is not exist" }, "gone"],
    ["dingtalk", 200, { errcode: 400101, errmsg: "access_token not exist" }, "gone"],
    ["dingtalk", 200, { errcode: 400106, errmsg: "bot not found" }, "gone"],
    ["dingtalk", 200, { errcode: 400013, errmsg: "group dismissed" }, "gone"],
    ["dingtalk", 200, { errcode: 400102, errmsg: "bot is stopped" }, "gone"],
    ["dingtalk", 200, { errcode: 40035, errmsg: "no access_token" }, "unauthorized"],
    ["dingtalk", 200, { errcode: 310000, errmsg: "sign not match" }, "unauthorized"],
    ["dingtalk", 200, { errcode: 310000, errmsg: "invalid timestamp" }, "unauthorized"],
    ["dingtalk", 200, { errcode: 310000, errmsg: "ip 192.0.2.1 not in whitelist" }, "unauthorized"],
    ["dingtalk", 200, { errcode: 310000, errmsg: "keywords not in content" }, "rejected"],
    ["dingtalk", 200, { errcode: 310000 }, "unauthorized"],
    ["dingtalk", 200, { errcode: 430101, errmsg: "unsafe link" }, "rejected"],
    ["dingtalk", 200, { errcode: 430102, errmsg: "improper text" }, "rejected"],
    ["dingtalk", 200, { errcode: 430103, errmsg: "improper image" }, "rejected"],
    ["dingtalk", 200, { errcode: 430104, errmsg: "improper" }, "rejected"],
    ["wecom", 200, { errcode: 0, errmsg: "ok" }, "delivered"],
    ["wecom", 200, { errcode: -1, errmsg: "system busy" }, "serverError"],
    ["wecom", 200, { errcode: 45009, errmsg: "api freq out of limit" }, "rateLimited", minute],
    ["wecom", 200, { errcode: 45033, errmsg: "concurrency limit" }, "rateLimited", minute],
    ["wecom", 200, { errcode: 93000, errmsg: "invalid webhook url, hint: [1]" }, "gone"],
    ["wecom", 200, { errcode: 93000, errmsg: "Invalid input : content exceed max length." }, "rejected"],
    ["wecom", 200, { errcode: 40008, errmsg: "invalid message type" }, "rejected"],
    ["wecom", 200, { errcode: 40058, errmsg: "Invalid Request Parameter" }, "rejected"],
    ["wecom", 200, { errcode: 44004, errmsg: "empty content" }, "rejected"],
    ["wecom", 200, { errcode: 45002, errmsg: "content too long" }, "rejected"],
    ...(["feishu", "dingtalk", "wecom"] as const).flatMap((name): [Name, number, object | string, string][] => [
      [name, 200, "", "rejected"],
      [name, 200, "<html>Sign in</html>", "rejected"],
      [name, 200, "[0]", "rejected"],
      [name, 200, "null", "rejected"],
      [name, 200, { errcode: "0", code: "0" }, "rejected"],
    ]),
  ];

  it("are read for what they mean", () =>
    everyRow(
      rows,
      async ([name, status, answer, reason, retryAfterMs]) => {
        const body = typeof answer === "string" ? answer : JSON.stringify(answer);
        const { outcome } = await pushTo(name, { answer: { status, body } });
        expect(verdict(outcome)).toEqual([reason, retryAfterMs]);
      },
      (row) => JSON.stringify(row),
    ));

  it("are told with what to do, and the vendor's words behind it", async () => {
    const body = JSON.stringify({ errcode: 310000, errmsg: "sign not match, more: https://open.dingtalk.com" });
    const { outcome } = await pushTo("dingtalk", { answer: { body } });
    expect(outcome.detail).toBe(
      "DingTalk answered 310000: the secret is wrong; copy it from the bot's security settings again " +
        '(it said "sign not match, more: https://open.dingtalk.com")',
    );
  });
});
