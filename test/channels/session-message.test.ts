import { describe, expect, it } from "vitest";
import * as z from "zod";
import { discord } from "../../src/channels/chat/discord/discord.ts";
import { hasSession } from "../../src/channels/session-message.ts";
import { channelTypes } from "../../src/channels/all.ts";
import { matrix } from "../../src/channels/chat/matrix/matrix.ts";
import { slack } from "../../src/channels/chat/slack/slack.ts";
import { telegram } from "../../src/channels/chat/telegram/telegram.ts";
import type { AgentEvent } from "../../src/model/event.ts";
import type { HttpFailure, HttpRequest, HttpResponse } from "../../src/system/network/http.ts";
import { resolveSecrets } from "../../src/system/secrets.ts";
import { localRequest, localTools } from "../support/channels/channel-request.ts";

const editors = {
  slack: {
    channel: slack,
    settings: { token: "xoxb-1-s3cret", channel: "C123" },
    remembered: { channel: "C123", ts: "1.2", for: "C123" },
    answer: '{"ok":true,"channel":"C123","ts":"1.3"}',
    isEdit: ({ url }: HttpRequest) => url.endsWith("/chat.update"),
  },
  discord: {
    channel: discord,
    settings: { url: "https://discord.com/api/webhooks/112233445566778899/s3cret" },
    remembered: { message: "133", thread: "" },
    answer: '{"id":"134"}',
    isEdit: ({ method }: HttpRequest) => method === "PATCH",
  },
  telegram: {
    channel: telegram,
    settings: { token: "123456789:s3cretTokenOfTelegram_01234-x", chat: 5 },
    remembered: { message: "6", chat: "5" },
    answer: '{"ok":true,"result":{"message_id":7}}',
    isEdit: ({ url }: HttpRequest) => url.endsWith("/editMessageText"),
  },
};

type Answer = HttpResponse | HttpFailure;

async function send(
  name: keyof typeof editors,
  answers: readonly Answer[],
  more: { event?: Partial<AgentEvent>; update?: string; remembered?: Record<string, string> } = {},
) {
  const { channel, settings, remembered, isEdit } = editors[name];
  const parsed = channel.settings.parse({ ...settings, update: more.update ?? "replace" });
  const request = localRequest({}, await resolveSecrets(parsed, {}, "/nowhere"), more.remembered ?? remembered);
  const made: HttpRequest[] = [];
  const http = (asked: HttpRequest): Promise<Answer> => {
    const answer = answers[made.push(asked) - 1];
    return answer === undefined ? Promise.reject(new Error("one request too many")) : Promise.resolve(answer);
  };
  const outcome = await channel.send(
    { ...request, event: { ...request.event, ...more.event } },
    localTools({}, "/nowhere", { http }),
  );
  return { outcome, edits: made.map(isEdit) };
}

const brokenLine: HttpFailure = { failure: "unknown", detail: "the line broke" };

describe.each(["slack", "discord", "telegram"] as const)("a session's one message in %s", (name) => {
  const taken: HttpResponse = { status: 200, headers: {}, body: editors[name].answer };

  it("is edited again when nobody knows if the edit arrived", async () => {
    const { outcome, edits } = await send(name, [brokenLine]);
    expect(edits).toEqual([true]);
    expect(outcome).toMatchObject({ status: "failed", reason: "network" });
  });

  it("is not sent again when nobody knows if the new message arrived", async () => {
    for (const more of [
      { update: "new" },
      { remembered: { message: "6", chat: "9", thread: "998877665544332211", for: "C9" } },
    ]) {
      const { outcome, edits } = await send(name, [brokenLine], more);
      expect(edits).toEqual([false]);
      expect(outcome).toMatchObject({ status: "failed", reason: "unknown" });
    }
  });

  it.each<[string, Partial<AgentEvent>]>([
    ["a summary of many", { agent: "hookbell", session: "summary" }],
    ["a notice or a message sent by hand", { agent: "hookbell", session: "send" }],
    ["an event without a session", { session: "" }],
  ])("is not what %s is written over", async (_, event) => {
    const { outcome, edits } = await send(name, [taken], { event });
    expect(edits).toEqual([false]);
    expect(outcome).toMatchObject({ status: "delivered" });
    expect("remember" in outcome).toBe(false);
  });
});

describe("the setting update", () => {
  const schemas = channelTypes.flatMap(({ type, settings }) => {
    const { properties = {} } = z.toJSONSchema(settings, { io: "input" });
    const { update } = properties as Record<string, { enum?: string[]; description?: string }>;
    return update === undefined ? [] : [[type, update] as const];
  });

  it("is there where the vendor can edit or replace", () => {
    const types = schemas.map(([type]) => type);
    expect(types).toEqual(expect.arrayContaining(["desktop", "discord", "telegram", "matrix", "ntfy", "bark"]));
  });

  it("says where the person is not called again", () => {
    const silent = schemas.filter(([, { description = "" }]) => description.includes("(the edit rings nobody)"));
    expect(silent.map(([type]) => type).toSorted()).toEqual(["discord", "matrix", "slack", "telegram"]);
  });

  it.each(schemas)("has the same values and words for %s", (type, { enum: values, description = "" }) => {
    expect(values).toEqual(["new", "replace"]);
    const usual = type === "desktop" ? "replace" : "new";
    expect(description).toMatch(new RegExp(`^${usual} \\(unless said otherwise\\): `));
    expect(description).toMatch(/\bnew\b.*: every message stands by itself/);
    expect(description).toMatch(/\breplace\b.*: one message a session, which the next one replaces/);
  });
});

it.each([
  [{ agent: "droid", session: "s-1" }, true],
  [{ agent: "droid", session: "" }, false],
  [{ agent: "hookbell", session: "summary" }, false],
])("%j is of a session: %s", (event, expected) => {
  expect(hasSession(event)).toBe(expected);
});

it("keeps Matrix, which edits under the delivery's own id, as harmless to repeat as it was", () => {
  expect(matrix.isRepeatHarmless).toBe(true);
});
