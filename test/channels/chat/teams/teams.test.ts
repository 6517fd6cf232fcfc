import type { IAdaptiveCard, IRichTextBlock, ITextRun } from "@microsoft/teams.cards";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  maxBody,
  maxField,
  maxFields,
  maxRequest,
  maxTitle,
  toTeamsMessage,
} from "../../../../src/channels/chat/teams/message.ts";
import { teams } from "../../../../src/channels/chat/teams/teams.ts";
import type { Message } from "../../../../src/model/message.ts";
import { withoutControls } from "../../../../src/model/text.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { problemsOfCard } from "./sample.ts";
import { sampleMessage, sendScripted } from "../../../support/receivers/scripted-answers.ts";
import { levels } from "../../../../src/model/level.ts";
import { slowRuns } from "../../../support/random/slow-runs.ts";
import { everyRow } from "../../../support/rows.ts";

const cardOf = (more: Partial<Message>) => toTeamsMessage(sampleMessage(more), "Stop").attachments[0].content;
const textsOf = (more: Partial<Message>): string[] =>
  cardOf(more).body.flatMap(({ inlines }) => inlines.map(({ text }) => text));
const bytesOf = (made: unknown): number => Buffer.byteLength(JSON.stringify(made), "utf8");

describe("toTeamsMessage", () => {
  it("is a card of Adaptive Cards 1.4", () => {
    const card = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      body: [
        {
          type: "RichTextBlock",
          inlines: [{ type: "TextRun", text: "shop: done", size: "Large", weight: "Bolder", color: "Good" }],
        },
        { type: "RichTextBlock", inlines: [{ type: "TextRun", text: "All tests pass." }] },
        {
          type: "RichTextBlock",
          inlines: [{ type: "TextRun", text: "project: shop", size: "Small", isSubtle: true }],
        },
      ],
      msteams: { width: "full" },
    } satisfies IAdaptiveCard & { body: (IRichTextBlock & { inlines: ITextRun[] })[] };
    expect(toTeamsMessage(sampleMessage({}), "Stop")).toEqual({
      type: "message",
      attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card }],
    });
    expect(problemsOfCard(card)).toEqual([]);
  });

  it("would be told by the parser what is wrong", () => {
    const wrong = { type: "TextRun", text: "x", size: "huge" };
    const body = [{ type: "RichTextBlock", inlines: [wrong] }, { type: "Nope" }];
    expect(problemsOfCard({ type: "AdaptiveCard", version: "1.4", body })).toHaveLength(2);
  });

  it("has a colour of its own for each level", () => {
    const colours = levels.map((level) => cardOf({ level }).body[0]?.inlines[0]?.color);
    expect(colours).toEqual(["Accent", "Good", "Warning", "Attention"]);
    for (const level of levels) expect(problemsOfCard(cardOf({ level }))).toEqual([]);
  });

  it("has a title in any case, and nothing that is empty", () => {
    expect(textsOf({ title: " \n", body: " ", fields: [{ label: "x", value: "" }] })).toEqual(["Stop"]);
  });

  it("shows whatever a stranger wrote as it is", () =>
    everyRow(
      adversarialTexts,
      (text) => {
        const card = cardOf({ title: text, body: text, fields: [{ label: text, value: text }] });
        expect(problemsOfCard(card)).toEqual([]);
        // A mention needs an entity beside the text, a link an action; text runs are all there is.
        expect(Object.keys(card)).toEqual(["$schema", "type", "version", "body", "msteams"]);
        expect(card.msteams).toEqual({ width: "full" });
        for (const { inlines } of card.body) {
          expect(inlines).toHaveLength(1);
          for (const { type, text: shown } of inlines) {
            expect(type).toBe("TextRun");
            expect(shown).toBe(withoutControls(shown));
            expect(shown).not.toMatch(/\{\{(DATE|TIME)\(/i);
          }
        }
        expect(bytesOf(card)).toBeLessThanOrEqual(maxRequest);
      },
      (text) => JSON.stringify(text.slice(0, 40)),
    ));

  it("shows ten fields at most", () => {
    const fields = Array.from({ length: maxFields + 2 }, (_, index) => ({ label: "n", value: String(index) }));
    expect(textsOf({ fields })[2]?.split("\n")).toHaveLength(maxFields);
  });

  it("leaves other braces alone", () => {
    expect(textsOf({ body: "{{name}} ${x} {{ DATE }}" })[1]).toBe("{{name}} ${x} {{ DATE }}");
    expect(textsOf({ body: "{{DATE(2026-11-21T12:00:00Z)}}" })[1]).toBe("{\u200B{DATE(2026-11-21T12:00:00Z)}}");
  });

  it.each([
    ["ASCII", "x", 1],
    ["astral characters", "😀", 4],
    ["characters that all need escaping", '"', 2],
  ])("counts the bytes of %s within JSON", (_, unit, cost) => {
    const shown = (count: number): string | undefined => textsOf({ body: unit.repeat(count) })[1];
    expect(shown(maxBody / cost)).toBe(unit.repeat(maxBody / cost));
    expect(shown(maxBody / cost + 1)).toBe(`${unit.repeat(Math.floor((maxBody - 3) / cost))}…`);
    const title = (count: number): string | undefined => textsOf({ title: unit.repeat(count) })[0];
    expect(title(maxTitle / cost)).toBe(unit.repeat(maxTitle / cost));
    const over = title(maxTitle / cost + 1);
    expect(over).toMatch(/[^…]…$/);
    expect(over?.replace("…", "")).toBe(unit.repeat(Math.floor((maxTitle - 3) / cost)));
  });

  it("keeps the whole request small enough, whatever the texts", () => {
    const wild = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constantFrom('"', "\\", "😀", "👩‍👩‍👧", "x", "a\n", "{{DATE(").map((unit) => unit.repeat(40_000 / unit.length)),
    );
    fc.assert(
      fc.property(wild, wild, wild, fc.nat({ max: 40 }), (title, body, value, count) => {
        const fields = Array.from({ length: count }, () => ({ label: "label", value }));
        const made = toTeamsMessage(sampleMessage({ title, body, fields }), "Stop");
        expect(bytesOf(made)).toBeLessThanOrEqual(maxRequest);
        for (const block of made.attachments[0].content.body) expect(block.inlines[0]?.text.trim()).not.toBe("");
      }),
      { numRuns: slowRuns(40) },
    );
    expect(maxTitle + maxBody + maxFields * (maxField + 2)).toBeLessThan(maxRequest - 700);
  });
});

const url =
  "https://default0123456789.01.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/s3cretFlow1/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=s3cret_Sig-01";

function send(status: number, body: string, to = url) {
  return sendScripted(teams, { url: { env: "URL" } }, [{ status, body }], { env: { URL: to } });
}

const error = (code: string): string => JSON.stringify({ error: { code, message: "So it is" } });

describe("the Teams channel", () => {
  it("leaves the signed query as it is", async () => {
    expect((await send(202, "")).requests).toMatchObject([{ method: "POST", url }]);
  });

  it.each([200, 202])("says of a %i that the workflow has started, which is not that it has posted", async (status) => {
    const { outcome } = await send(status, "");
    expect(outcome).toEqual({ status: "delivered", detail: expect.stringMatching(/started.*run history/) });
  });

  it("takes no page for a workflow's answer", async () => {
    const { outcome } = await send(200, "<!DOCTYPE html><title>Microsoft Teams</title>");
    expect(outcome).toMatchObject({
      reason: "rejected",
      detail: expect.stringMatching(/not as a Teams workflow does/),
    });
  });

  it.each([
    "https://teams.microsoft.com/l/channel/19%3As3cret%40thread.tacv2/General?groupId=s3cret",
    "https://teams.cloud.microsoft/l/team/s3cret",
    "https://teams.live.com/l/invite/s3cret",
  ])("says that %s leads to no workflow, when the rules are loaded and when sending", async (link) => {
    const issue = teams.settings.safeParse({ url: link }).error?.issues[0]?.message;
    const { outcome, requests } = await send(200, "", link);
    expect(requests).toEqual([]);
    expect(issue).toMatch(/link into Teams.*Workflows/);
    expect(outcome).toMatchObject({ reason: "gone", detail: expect.stringMatching(/link into Teams.*Workflows/) });
    expect(JSON.stringify([issue, outcome])).not.toContain("s3cret");
  });

  it("reads what a workflow answers", () =>
    everyRow(
      [
        [400, error("WorkflowTriggerIsNotEnabled"), "gone", /switch it on/],
        [404, error("WorkflowNotFound"), "gone", /Workflows/],
        [404, error("WorkflowTriggerNotFound"), "gone", /Workflows/],
        [401, error("DirectApiAuthorizationRequired"), "unauthorized", /sig=/],
        [401, error("DirectApiInvalidAuthorizationScheme"), "unauthorized", /anyone/],
        [403, error("AuthorizationFailed"), "unauthorized", /signature/],
        [401, error("InvalidAuthorization"), "unauthorized", /signature/],
        [400, error("TriggerInputSchemaMismatch"), "rejected", /template/],
        [413, error("RequestEntityTooLarge"), "rejected", /report/],
        [400, error("toString"), "rejected", /toString/],
        [429, error("Whatever"), "rateLimited", /429/],
        [502, error("NoResponse"), "serverError", /502/],
        [504, "", "serverError", /504/],
        [404, "<html>", "gone", /404/],
      ],
      async ([status, body, reason, detail]) => {
        const { outcome } = await send(status, body);
        expect(outcome).toMatchObject({ status: "failed", reason, detail: expect.stringMatching(detail) });
      },
      (row) => JSON.stringify(row),
    ));

  it.each([
    "https://contoso.webhook.office.com/webhookb2/s3cret@s3cret/IncomingWebhook/s3cret/s3cret",
    "https://outlook.office.com/webhook/s3cret/IncomingWebhook/s3cret",
    "https://outlook.office365.com/webhook/s3cret/IncomingWebhook/s3cret",
  ])("explains that %s is retired, when the rules are loaded and when sending", async (retired) => {
    const issue = teams.settings.safeParse({ url: retired }).error?.issues[0]?.message;
    const { outcome, requests } = await send(200, "1", retired);
    expect(requests).toEqual([]);
    expect(issue).toMatch(/retired.*Workflows/);
    expect(outcome).toMatchObject({ reason: "gone", detail: expect.stringMatching(/retired.*Workflows/) });
    expect(JSON.stringify([issue, outcome])).not.toContain("s3cret");
  });

  it.each([
    [404, "gone"],
    [401, "unauthorized"],
    [400, "rejected"],
    [500, "serverError"],
  ])("explains a %i of the host that workflows have left", async (status, reason) => {
    const { outcome } = await send(
      status,
      "",
      url.replace(/^https:\/\/[^/]+/, "https://prod-01.westeurope.logic.azure.com:443"),
    );
    const explained = expect.stringMatching(/have left logic\.azure\.com.*shows now/);
    const isExplained = reason === "gone" || reason === "unauthorized";
    expect(outcome).toMatchObject({ reason, detail: isExplained ? explained : expect.not.stringMatching(/left/) });
  });

  it.each([url, "https://prod-01.westeurope.logic.azure.com:443/workflows/x/triggers/manual/paths/invoke?sig=y"])(
    "takes %s",
    (good) => expect(teams.settings.safeParse({ url: good }).error).toBeUndefined(),
  );
});
