import type { RESTPatchAPIChannelMessageJSONBody, RESTPostAPIChannelMessageJSONBody } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import type { Button } from "../../../../src/model/answer.ts";
import { componentsOf } from "../../../../src/channels/chat/discord/answers.ts";
import { discord } from "../../../../src/channels/chat/discord/discord.ts";
import { toDiscordMessage } from "../../../../src/channels/chat/discord/message.ts";
import {
  probeScripted,
  sampleMessage,
  sendScripted,
  type ScriptedAnswer,
} from "../../../support/receivers/scripted-answers.ts";
import { everyRow } from "../../../support/rows.ts";

const url = "https://discord.com/api/webhooks/112233445566778899/s3cretTokenOfDiscord";
const token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.s3cretTokenOfDiscordBot-1234567890";
const channel = "112233445566778899";
const api = "https://discord.com/api/v10";
const stored = { status: 200, body: JSON.stringify({ id: "133", channel_id: channel }) };
const coded = (status: number, code: number): ScriptedAnswer => ({ status, body: JSON.stringify({ code }) });

describe("the settings of a Discord channel", () => {
  it("refuses settings that do not go together", () =>
    everyRow<[object, string]>(
      [
        [{}, 'needs "url" (a webhook), or "token" and "channel" (a bot)'],
        [{ token }, '"token" needs "channel", too'],
        [{ url, token, channel }, 'expected either "url" or "token", got both'],
        [{ url, channel }, 'goes with "token" only: a webhook has its channel already'],
        [{ url, apiUrl: "https://a.example" }, 'goes with "token" only'],
        [{ token, channel, threadId: channel }, 'goes with "url" only: set it as "channel"'],
        [{ token: "Bot s3cret", channel }, "the token is not a bot's token"],
        [{ token, channel: "#agents" }, "expected a channel's id"],
      ],
      ([settings, message]) => {
        const { error } = discord.settings.safeParse(settings);
        expect(error?.issues.map((issue) => issue.message)).toEqual([expect.stringContaining(message)]);
        expect(JSON.stringify(error?.issues)).not.toContain("s3cret");
      },
      (row) => JSON.stringify(row),
    ));

  it("carries answers only as a bot", () => {
    const problemOf = (settings: object) => discord.answers?.problemOf?.(discord.settings.parse(settings));
    expect(problemOf({ token, channel })).toBeUndefined();
    expect(problemOf({ url })).toMatch(/set "token" and "channel" of a bot/);
  });
});

describe("a Discord bot", () => {
  const send = (answers: ScriptedAnswer[], more: object = {}, remembered?: Record<string, string>) =>
    sendScripted(discord, { token, channel, ...more }, answers, { remembered });

  it("writes, and edits, as Discord's own types say", async () => {
    const body = toDiscordMessage(sampleMessage({}), "Stop") satisfies RESTPostAPIChannelMessageJSONBody;
    const first = await send([stored], { update: "replace" });
    expect(first.requests).toMatchObject([
      { method: "POST", url: `${api}/channels/${channel}/messages`, headers: { authorization: `Bot ${token}` } },
    ]);
    expect(Object.keys(JSON.parse(first.requests[0]?.body ?? ""))).toEqual(Object.keys(body));
    expect(first.outcome).toEqual({ status: "delivered", remember: { message: "133", thread: channel } });
    const second = await send([stored], { update: "replace" }, { message: "133", thread: channel });
    expect(second.requests).toMatchObject([{ method: "PATCH", url: `${api}/channels/${channel}/messages/133` }]);
    toDiscordMessage(sampleMessage({}), "Stop", true) satisfies RESTPatchAPIChannelMessageJSONBody;
  });

  it("reads what Discord answers", () =>
    everyRow(
      [
        [
          { status: 401, body: '{"message":"401: Unauthorized","code":0}' },
          "unauthorized",
          /token is wrong or was reset/,
        ],
        [coded(403, 50_001), "unauthorized", /add it to the server/],
        [coded(403, 50_013), "unauthorized", /"Send Messages"/],
        [coded(404, 10_003), "gone", /correct "channel"/],
        [coded(400, 50_035), "rejected", /report/],
      ],
      async ([answer, reason, detail]) => {
        const { outcome } = await send([answer]);
        expect(outcome).toMatchObject({ status: "failed", reason, detail: expect.stringMatching(detail) });
        expect((await probeScripted(discord, { token, channel }, answer)).result).toMatchObject({ status: "broken" });
      },
      (row) => JSON.stringify(row),
    ));

  it("is asked for without sending", async () => {
    const answer = { status: 200, body: JSON.stringify({ id: channel }) };
    const { result, requests } = await probeScripted(discord, { token, channel }, answer);
    expect(result).toEqual({ status: "ok", detail: "the bot sees the channel" });
    expect(requests).toMatchObject([{ method: "GET", url: `${api}/channels/${channel}` }]);
  });

  it("has rows of five buttons, whose labels are cut", () => {
    const button = (index: number): Button => ({ choice: "deny", label: "x".repeat(90), nonce: String(index) });
    const rows = componentsOf({ buttons: Array.from({ length: 7 }, (_, index) => button(index)) });
    expect(rows).toMatchObject([{ components: { length: 5 } }, { components: { length: 2 } }]);
    expect(JSON.stringify(rows)).toContain(`"${"x".repeat(79)}…"`);
  });

  it("has the button that mutes last, and not in the colour of a denial", () => {
    const buttons = [{ choice: "deny" as const, label: "Deny", nonce: "d" }];
    expect(componentsOf({ buttons, snooze: { label: "Mute 1h", nonce: "m" } })).toEqual([
      {
        type: 1,
        components: [
          { type: 2, style: 4, label: "Deny", custom_id: "d" },
          { type: 2, style: 2, label: "Mute 1h", custom_id: "m" },
        ],
      },
    ]);
  });
});
