import { HtmlRenderer, Parser } from "commonmark";
import * as fc from "fast-check";
import { Marked } from "marked";
import { describe, expect, it } from "vitest";
import * as made from "../../../../src/channels/chat/mattermost/message.ts";
import { mattermost } from "../../../../src/channels/chat/mattermost/mattermost.ts";
import type { Message } from "../../../../src/model/message.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { push, verdict } from "../../../support/channels/pushed.ts";
import { storedByMattermost } from "./sample.ts";
import { levels } from "../../../../src/model/level.ts";
import { slowRuns } from "../../../support/random/slow-runs.ts";
import { everyRow } from "../../../support/rows.ts";

/** https://developers.mattermost.com/integrate/webhooks/incoming/#parameters, as far as hookbell uses it. */
interface VendorPayload {
  text: string;
  attachments?: { fallback: string; color?: string; text?: string; title?: string }[];
  priority?: { priority: "important" | "urgent"; requested_ack?: boolean; persistent_notifications?: boolean };
  silent?: boolean;
}

const message = (more: Partial<Message>): Message => ({
  title: "shop: done",
  body: "All tests pass.",
  level: "success",
  fields: [{ label: "project", value: "shop" }],
  ...more,
});
const ofBody = (body: string): string =>
  made.toMattermostMessage(message({ body, fields: [] }), "Stop").attachments[0]?.text ?? "";
const count = (text: string): number => [...text].length;
const withoutSpaces = (text: string): string => text.replaceAll("\u200B", "");

describe("toMattermostMessage", () => {
  it("is what Mattermost documents", () => {
    const payload = made.toMattermostMessage(message({}), "Stop") satisfies VendorPayload;
    expect(payload).toEqual({
      text: "**shop: done**",
      attachments: [{ fallback: "All tests pass.", color: "#2EB67D", text: "All tests pass.\n\nproject: shop" }],
    });
  });

  it("rings as much as the level says", () => {
    const shown = levels.map((level) => made.toMattermostMessage(message({ level }), "Stop"));
    expect(shown.map(({ silent, priority }) => [silent, priority?.priority])).toEqual([
      [true, undefined],
      [undefined, undefined],
      [undefined, "important"],
      [undefined, "urgent"],
    ]);
    expect(new Set(shown.map(({ attachments }) => attachments[0]?.color)).size).toBe(4);
  });

  it("has a text in any case, since Mattermost takes no empty post", () => {
    expect(made.toMattermostMessage(message({ title: " \n", body: "\u0000", fields: [] }), "SessionEnd")).toEqual({
      text: "**SessionEnd**",
      attachments: [],
    });
  });

  const { maxBody } = made;
  it("cuts a body as it fits", () =>
    everyRow(
      [
        ["x", maxBody, "x".repeat(maxBody)],
        ["x", maxBody + 1, `${"x".repeat(maxBody - 1)}…`],
        ["😀", maxBody, "😀".repeat(maxBody)],
        ["😀", maxBody + 1, `${"😀".repeat(maxBody - 1)}…`],
        ["*", maxBody / 2, "\\*".repeat(maxBody / 2)],
        ["*", maxBody / 2 + 1, `${"\\*".repeat(maxBody / 2 - 1)}…`],
      ],
      ([unit, times, expected]) => {
        expect(ofBody(unit.repeat(times))).toBe(expected);
      },
      (row) => JSON.stringify(row),
    ));

  it("keeps to every limit, whatever the text", () => {
    const wild = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constantFrom("&", "<", "😀", "👩‍👩‍👧", "*", "\\", "@a", "_", "\n", "x").map((unit) => unit.repeat(20_000)),
    );
    fc.assert(
      fc.property(wild, wild, wild, (title, body, value) => {
        const fields = Array.from({ length: 12 }, () => ({ label: "label", value }));
        const { text, attachments } = made.toMattermostMessage(message({ title, body, fields }), "Stop");
        expect(count(text)).toBeLessThanOrEqual(made.maxTitle + 4);
        expect(count(text)).toBeLessThanOrEqual(made.maxPost);
        for (const attachment of attachments) {
          expect(count(attachment.text)).toBeLessThanOrEqual(made.maxBody + 10 * (made.maxField + 1) + 1);
          expect(count(attachment.fallback)).toBeLessThanOrEqual(made.maxFallback);
          expect(attachment.text.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: slowRuns(25) },
    );
  });
});

describe("the text of strangers", () => {
  const mentions = [
    "@channel @all @here @anna.b @team-x foo@channel.example",
    "<!channel> <!here> <!all> <@U0123456789012345678901234> <#C1>",
    "&#64;channel &lt;!channel&gt; &commat;here",
  ];
  const markup = [
    "[good](https://evil.example) ![x](https://evil.example/x.png) <https://evil.example|good>",
    "[good]: https://evil.example\n[good]",
    "*a* **b** _c_ __d__ ~~e~~ `f` ***g*** 2*3*4",
    "```\ncode\n```\n~~~\ncode\n~~~",
    "# heading\n## two\n- item\n* item\n+ item\n1. one\n1) one\n> quote",
    "heading\n===\nheading\n---\n***\n___",
    "| a | b |\n|---|---|\n| c | d |\n\na | b\n--- | ---\nc | d",
    "x\n\n    indented\n\n\ttab",
    "<b>bold</b><script>alert(1)</script><!-- x --> <img src=x onerror=y> </div> <?php ?>",
    "\\*a\\* \\\\`b` \\",
    "#hashtag ~town-square :tada: :+1:",
  ];

  /** What CommonMark and GitHub's dialect leave of a text that says nothing in either. */
  const plain = (html: string): string =>
    html
      .replace(/<a href="(?:https?:\/\/|mailto:)[^"]*">([^<]*)<\/a>/g, "$1")
      .replace(/<\/?p>|<br ?\/?>/g, " ")
      .replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => decoded[name] ?? "");
  const words = (text: string): string => withoutSpaces(text).replace(/\s+/g, " ").trim();
  const decoded: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" };
  const commonmark = (text: string): string => new HtmlRenderer().render(new Parser().parse(text));
  const github = (text: string): string => new Marked({ gfm: true, breaks: true }).parse(text, { async: false });

  it("formats nothing and links nothing but a bare address", () =>
    everyRow([...mentions, ...markup, ...adversarialTexts.filter((text) => text.length < 5000)], (text) => {
      const shown = ofBody(text);
      for (const html of [commonmark(shown), github(shown)]) {
        expect(html.replace(/<a href="https?:[^"]*">[^<]*<\/a>|<\/?p>|<br ?\/?>/g, "")).not.toContain("<");
        if (/^[\x20-\x7E\n\t]*$/.test(text)) {
          expect(words(plain(html))).toBe(words(text));
        }
      }
    }));

  it("says nothing in Markdown, however its signs are put together", () => {
    const signs = fc.string({
      unit: fc.constantFrom(..."*_`~[]()!<>#-+=|:@&; \t\n\\1.aA\"'{}$^/".split("")),
      maxLength: 60,
    });
    fc.assert(
      fc.property(signs, (text) => {
        const shown = ofBody(text);
        for (const html of [commonmark(shown), github(shown)]) {
          expect(html.replace(/<\/?p>|<br ?\/?>/g, "")).not.toContain("<");
          expect(words(plain(html))).toBe(words(text));
        }
        expect(shown).not.toMatch(/@[\w.-]|<|&(?!lt;)#?\w+;/);
      }),
      { numRuns: slowRuns(3000) },
    );
  });

  it("mentions no one", () =>
    everyRow(mentions, (text) => {
      const { text: post, attachments } = made.toMattermostMessage(
        message({ title: text, body: text, fields: [{ label: text, value: text }] }),
        "Stop",
      );
      for (const shown of [post, ...attachments.flatMap((each) => [each.text, each.fallback])]) {
        expect(shown).not.toMatch(/@[\w.-]|<[!@#]|&(?!lt;)#?\w+;/);
      }
    }));

  it("is no link to the server, which looks for Slack's before it reads Markdown", () => {
    for (const text of ["<https://evil.example|good>", "if (x < 5 || y > 3)", "a <b\n|c> d"]) {
      const shown = ofBody(text);
      expect(storedByMattermost(shown)).toBe(shown);
      expect(words(plain(commonmark(shown)))).toBe(words(text));
    }
  });

  it("opens and ends no emphasis where it is cut", () => {
    const title = (text: string): string => made.toMattermostMessage(message({ title: text }), "Stop").text;
    for (let length = 1; length < 12; length += 1) {
      for (const text of ["*_".repeat(400), "_a_ ".repeat(200), "a_b".repeat(300)]) {
        const shown = title("x".repeat(length) + text);
        expect(shown).toContain("…");
        for (const html of [commonmark(shown), github(shown)]) expect(html).not.toContain("<em>");
      }
    }
  });

  it.each(["#hashtag", "a #b", ":tada:", "x :+1: y"])("makes no link or picture of %s", (text) => {
    expect(ofBody(text)).not.toMatch(/(^|\s)#\w|:[\w+]+:/);
  });

  it.each(["snake_case_name", "https://example.org/a_b?c=1&d=2#L10", "12:30:45 h", "src/my_file.ts:3:7"])(
    "leaves %s as it is",
    (text) => expect(ofBody(text)).toBe(text),
  );

  it("stays quick with a megabyte", () => {
    for (const unit of ["@a ", "<!", "&#", "_", ":a", "    \n", "*"]) {
      expect(count(ofBody(unit.repeat(1_000_000 / unit.length)))).toBeLessThanOrEqual(made.maxBody);
    }
  });
});

describe("the Mattermost channel", () => {
  const settings = { url: "https://chat.example.org/hooks/s3cretHook" };
  const error = (id: string, status: number): string => JSON.stringify({ id, message: "…", status_code: status });

  it("posts JSON to the webhook", async () => {
    const { request, outcome } = await push(mattermost, settings, { answer: { body: "ok" } });
    expect(request).toMatchObject({ method: "POST", url: settings.url });
    expect(outcome.status).toBe("delivered");
  });

  it("reads what a server answers", () =>
    everyRow(
      [
        [200, "ok", "delivered", undefined],
        [200, "<html>Sign in</html>", "rejected", undefined],
        [400, error("web.incoming_webhook.invalid.app_error", 400), "gone", undefined],
        [404, error("web.incoming_webhook.channel.app_error", 404), "gone", undefined],
        [403, error("web.incoming_webhook.user.app_error", 403), "gone", undefined],
        [501, error("web.incoming_webhook.disabled.app_error", 501), "unauthorized", undefined],
        [403, error("web.incoming_webhook.channel_locked.app_error", 403), "unauthorized", undefined],
        [403, error("web.incoming_webhook.permissions.app_error", 403), "unauthorized", undefined],
        [400, error("web.incoming_webhook.parse.app_error", 400), "rejected", undefined],
        [400, error("web.incoming_webhook.text.app_error", 400), "rejected", undefined],
        [400, error("web.incoming_webhook.decode.app_error", 400), "rejected", undefined],
        [400, error("web.incoming_webhook.toString.app_error", 400), "rejected", undefined],
        // All that newer servers say.
        [400, error("web.incoming_webhook.general.app_error", 400), "gone", undefined],
        [403, error("web.incoming_webhook.general.app_error", 403), "unauthorized", undefined],
        [404, error("web.incoming_webhook.general.app_error", 404), "gone", undefined],
        [501, error("web.incoming_webhook.general.app_error", 501), "unauthorized", undefined],
        [500, error("web.incoming_webhook.general.app_error", 500), "serverError", undefined],
        [500, error("app.post.save.app_error", 500), "serverError", undefined],
        [429, "limit exceeded", "rateLimited", 9000],
      ],
      async ([status, body, reason, retryAfterMs]) => {
        const headers: Record<string, string> = status === 429 ? { "x-ratelimit-reset": "9" } : {};
        const { outcome } = await push(mattermost, settings, { answer: { status, body, headers } });
        expect(verdict(outcome)).toEqual([reason, retryAfterMs]);
      },
      (row) => JSON.stringify(row),
    ));

  it("heeds Retry-After before the limit's own header", async () => {
    const headers = { "retry-after": "3", "x-ratelimit-reset": "9" };
    const { outcome } = await push(mattermost, settings, { answer: { status: 429, headers } });
    expect(verdict(outcome)).toEqual(["rateLimited", 3000]);
  });

  it("says what to do", async () => {
    const body = error("web.incoming_webhook.disabled.app_error", 501);
    const { outcome } = await push(mattermost, settings, { answer: { status: 501, body } });
    expect(outcome.detail).toBe(
      "Mattermost answered 501 disabled: incoming webhooks are switched off; ask the server's administrator to allow them",
    );
  });
});
