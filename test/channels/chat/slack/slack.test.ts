import type { HeaderBlock, KnownBlock, MessageAttachment } from "@slack/types";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  maxBlocks,
  maxContextElements,
  maxFallback,
  maxField,
  maxHeader,
  maxSection,
  maxTotal,
  toSlackMessage,
  toSlackQuestion,
  withoutMrkdwn,
} from "../../../../src/channels/chat/slack/message.ts";
import { slack } from "../../../../src/channels/chat/slack/slack.ts";
import type { Message } from "../../../../src/model/message.ts";
import { resolveSecrets } from "../../../../src/system/secrets.ts";
import { localRequest, localTools } from "../../../support/channels/channel-request.ts";
import { levels } from "../../../../src/model/level.ts";
import { slowRuns } from "../../../support/random/slow-runs.ts";
import { everyRow } from "../../../support/rows.ts";

const message = (more: Partial<Message>): Message => ({
  title: "shop: done",
  body: "All tests pass.",
  level: "success",
  fields: [{ label: "project", value: "shop" }],
  ...more,
});

function textsOf(made: ReturnType<typeof toSlackMessage>): string[] {
  const inBlocks = made.attachments.flatMap(({ fallback, blocks }) => [
    fallback,
    ...blocks.flatMap((block) =>
      block.type === "section" ? [block.text.text] : block.elements.map(({ text }) => text),
    ),
  ]);
  return [made.text, ...made.blocks.map((block) => block.text.text), ...inBlocks];
}

describe("toSlackMessage", () => {
  it("is what Slack's own types say", () => {
    const made = toSlackMessage(message({}), "Stop");
    made satisfies {
      text: string;
      blocks: HeaderBlock[];
      attachments: (MessageAttachment & { blocks: KnownBlock[] })[];
      unfurl_links: boolean;
      unfurl_media: boolean;
    };
    expect(made).toEqual({
      text: "shop: done: All tests pass.",
      blocks: [{ type: "header", text: { type: "plain_text", text: "shop: done", emoji: false } }],
      attachments: [
        {
          color: "#2EB67D",
          fallback: "shop: done",
          blocks: [
            { type: "section", text: { type: "mrkdwn", text: "All tests pass.", verbatim: true } },
            { type: "context", elements: [{ type: "plain_text", text: "project: shop", emoji: false }] },
          ],
        },
      ],
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  it("has a colour of its own for each level", () => {
    const colours = levels.map((level) => toSlackMessage(message({ level }), "Stop").attachments[0]?.color);
    expect(colours).toEqual(["#439FE0", "#2EB67D", "#E8A317", "#D64545"]);
  });

  it.each([
    ["<!channel> <!here> <@U012> <!subteam^S1> <#C1>", "<"],
    ["<https://evil.example|https://good.example>", "<"],
    ["<!date^0^{date}^https://evil.example|x>", "<"],
  ])("lets no one be mentioned and nothing be linked by %s", (text, opener) => {
    const made = toSlackMessage(message({ title: text, body: text, fields: [{ label: text, value: text }] }), "Stop");
    for (const shown of textsOf(made)) {
      expect(shown).not.toContain(opener);
      expect(shown).toContain("&lt;");
    }
  });

  it("keeps to every limit, and cuts no entity, whatever the text", () => {
    const wild = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constantFrom("&", "<", "😀", "👩‍👩‍👧", "*", "\n", "a\n", "x").map((unit) => unit.repeat(20_000 / unit.length)),
    );
    fc.assert(
      fc.property(wild, wild, wild, fc.nat({ max: 20 }), (title, body, value, count) => {
        const fields = Array.from({ length: count }, () => ({ label: "label", value }));
        const made = toSlackMessage(message({ title, body, fields }), "Stop");
        const texts = textsOf(made);
        const total = texts.reduce((sum, text) => sum + text.length, 0);
        expect(total).toBeLessThanOrEqual(maxTotal);
        for (const text of texts) {
          expect(text.length).toBeGreaterThan(0);
          expect(text.isWellFormed()).toBe(true);
          expect(text.replace(/&(amp|lt|gt);/g, "")).not.toMatch(/[&<>]/);
        }
        expect(made.text.length).toBeLessThanOrEqual(maxFallback);
        expect(made.blocks[0]?.text.text.length).toBeLessThanOrEqual(maxHeader);
        const blocks = made.attachments.flatMap((attachment) => attachment.blocks);
        expect(blocks.length + made.blocks.length).toBeLessThanOrEqual(maxBlocks);
        for (const block of blocks) {
          if (block.type === "section") expect(block.text.text.length).toBeLessThanOrEqual(maxSection);
          else expect(block.elements.length).toBeLessThanOrEqual(maxContextElements);
          if (block.type === "context")
            for (const { text } of block.elements) expect(text.length).toBeLessThanOrEqual(maxField);
        }
      }),
      { numRuns: slowRuns(40) },
    );
  });

  it.each([
    [maxHeader, "x".repeat(maxHeader)],
    [maxHeader + 1, `${"x".repeat(maxHeader - 1)}…`],
  ])("shows a title of %i characters as it fits", (length, expected) => {
    const made = toSlackMessage(message({ title: "x".repeat(length) }), "Stop");
    expect(made.blocks[0]?.text.text).toBe(expected);
  });

  it("has a title in any case, since Slack takes no empty header", () => {
    const made = toSlackMessage(message({ title: " \n", body: "", fields: [] }), "SessionEnd");
    expect(made.blocks[0]?.text.text).toBe("SessionEnd");
    expect(made.attachments).toEqual([]);
  });
});

describe("toSlackQuestion", () => {
  it("is what Slack's own types say, unfolded, with its buttons last", () => {
    const buttons = [{ choice: "deny" as const, label: "x".repeat(80), nonce: "n" }];
    const made = toSlackQuestion(message({}), "PermissionRequest", { buttons });
    made satisfies { text: string; blocks: KnownBlock[]; attachments: MessageAttachment[] };
    expect(made.blocks.map(({ type }) => type)).toEqual(["header", "section", "actions"]);
    expect(made.blocks[1]).toMatchObject({ expand: true });
    const button = { type: "button", value: "n", text: { type: "plain_text", text: `${"x".repeat(74)}…` } };
    expect(made.blocks[2]).toMatchObject({ elements: [button] });
    expect(toSlackQuestion(message({}), "PermissionRequest", { buttons: [] }).blocks).toHaveLength(2);
    const snooze = { label: "Mute 1h", nonce: "m" };
    expect(toSlackQuestion(message({}), "PermissionRequest", { buttons, snooze }).blocks[2]).toMatchObject({
      elements: [button, { type: "button", value: "m", text: { text: "Mute 1h" } }],
    });
  });
});

describe("withoutMrkdwn", () => {
  it("leaves ordinary words as they are", () =>
    everyRow(
      ["snake_case_name", "2*3*4", "src/my_file.ts", "plain", "https://a.example:80/x", "note: well", "a > b"],
      (text) => {
        expect(withoutMrkdwn(text)).toBe(text);
      },
    ));
  it("takes the meaning out of Slack's signs", () =>
    everyRow(["*bold*", "_it_", "~no~", "`code`", "rm *.ts *.js", "```x```"], (text) => {
      expect(withoutMrkdwn(text)).not.toBe(text);
      expect(withoutMrkdwn(text).replaceAll("\u200B", "")).toBe(text);
      expect(withoutMrkdwn(text)).not.toMatch(/(^|[^\u200B])[*_~`](?!\u200B)/);
    }));

  it.each([
    [":tada:", ":_tada:"],
    ["a:100:b :one::two: :+1::skin-tone-2:", "a:_100:b :_one::_two: :_+1::_skin-tone-2:"],
    [":お祝い: 12:30:45", ":_お祝い: 12:_30:45"],
    ["> quote\n  >>> all", "_> quote\n_  >>> all"],
  ])("makes no picture and no quote of %s", (text, expected) => {
    expect(withoutMrkdwn(text)).toBe(expected.replaceAll("_", "\u200B"));
  });
});

describe("the Slack channel", () => {
  const url = "https://hooks.slack.com/services/T0SECRET01/B0SECRET02/s3cretToken";
  async function sendTo(status: number, body: string, to = url) {
    const settings = await resolveSecrets(
      { url: Object.freeze({ from: "env", name: "URL" }) },
      { URL: to },
      "/nowhere",
    );
    const http = () => Promise.resolve({ status, headers: {}, body });
    return slack.send(localRequest({}, settings), localTools({}, "/nowhere", { http }));
  }

  it("reads what Slack answers", () =>
    everyRow(
      [
        [200, "ok", "delivered", undefined],
        [200, "ok\n", "delivered", undefined],
        [200, "<html>Sign in to the hotel's network</html>", "failed", "rejected"],
        [200, "no_text", "failed", "rejected"],
        [400, "invalid_payload", "failed", "rejected"],
        [400, "user_not_found", "failed", "gone"],
        [403, "action_prohibited", "failed", "unauthorized"],
        [403, "invalid_token", "failed", "unauthorized"],
        [403, "team_disabled", "failed", "gone"],
        [404, "channel_not_found", "failed", "gone"],
        [404, "no_service", "failed", "gone"],
        [404, "no_team", "failed", "gone"],
        [410, "channel_is_archived", "failed", "gone"],
        [500, "rollup_error", "failed", "serverError"],
        [400, "toString", "failed", "rejected"],
      ],
      async ([status, body, outcome, reason]) => {
        const result = await sendTo(status, body);
        expect(result.status).toBe(outcome);
        expect(result.status === "failed" ? result.reason : undefined).toBe(reason);
      },
      (row) => JSON.stringify(row),
    ));

  it("says what to do", async () => {
    expect((await sendTo(404, "no_service")).detail).toBe(
      "Slack answered 404 no_service: this webhook was removed; make a new incoming webhook and set its URL",
    );
  });

  it.each(["https://hooks.slack.com/triggers/T0/1/abc", "https://hooks.slack.com/workflows/T0/A0/1/abc"])(
    "explains that %s starts a workflow, both when the rules are loaded and when sending",
    async (workflow) => {
      expect(slack.settings.safeParse({ url: workflow }).error?.issues[0]?.message).toMatch(/workflow/);
      expect(await sendTo(200, "ok", workflow)).toMatchObject({
        status: "failed",
        reason: "rejected",
        detail: expect.stringMatching(/workflow.*type webhook/),
      });
    },
  );

  it.each(["not a URL s3cret", "ftp://s3cret.example/", "https://me:s3cret@hooks.slack.com/services/x"])(
    "refuses %s when the rules are loaded, without repeating it",
    (bad) => {
      const { error } = slack.settings.safeParse({ url: bad });
      expect(error?.issues).toHaveLength(1);
      expect(JSON.stringify(error?.issues)).not.toContain("s3cret");
    },
  );
});
