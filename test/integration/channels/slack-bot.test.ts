// A Slack bot over real sockets: what its answers mean, whose HTTP status says nothing, and its session's one message.
import { inspect } from "node:util";
import type { ChatPostMessageArguments, ChatUpdateArguments } from "@slack/web-api";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { SendRequest } from "../../../src/channels/channel-type.ts";
import { slack } from "../../../src/channels/chat/slack/slack.ts";
import { toSlackMessage } from "../../../src/channels/chat/slack/message.ts";
import { isRetried, type Outcome } from "../../../src/model/outcome.ts";
import { resolveSecrets } from "../../../src/system/secrets.ts";
import type { HttpRequest } from "../../../src/system/network/http.ts";
import { createSendHttp } from "../../../src/system/network/send.ts";
import { adversarialTexts } from "../../support/channels/adversarial-texts.ts";
import { startAnsweringReceiver } from "../../support/receivers/answering-receiver.ts";
import { localRequest, localTools } from "../../support/channels/channel-request.ts";
import { startHttpReceiver, type Behaviour, type HttpReceiver } from "../../support/receivers/http-receiver.ts";
import { textsIn } from "../../support/channels/pushed.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { everyRow } from "../../support/rows.ts";

const token = "xoxb-111111111111-222222222222-s3cretTokenOfSlackBot";
const posted = '{"ok":true,"channel":"C0123456789","ts":"1763730000.000100","message":{"text":"x"}}';
const http = createSendHttp({});
let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterAll(() => receiver.close());

async function send(
  behaviour: Behaviour,
  own: object = {},
  more: Partial<SendRequest<unknown>> = {},
): Promise<Outcome> {
  receiver.behave(behaviour);
  const parsed = slack.settings.parse({ token, channel: "#ops", apiUrl: `${receiver.origin}/api/`, ...own });
  const settings = await resolveSecrets(parsed, {}, "/nowhere");
  const outcome = await slack.send({ ...localRequest({}, settings), ...more }, localTools({}, "/nowhere", { http }));
  expect(inspect(outcome)).not.toContain("s3cret");
  return outcome;
}

const error = (code: string, more: object = {}): Behaviour => ({
  answer: 200,
  body: JSON.stringify({ ok: false, error: code, ...more }),
});

describe("a message", () => {
  it("is asked for as Slack's own types say", async () => {
    expect(await send({ answer: 200, body: posted })).toEqual({ status: "delivered" });
    const asked = receiver.requests.at(-1);
    expect(asked).toMatchObject({
      method: "POST",
      path: "/api/chat.postMessage",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json; charset=utf-8" },
    });
    const message = toSlackMessage(localRequest({}, {}).message, "Stop");
    const expected = { channel: "#ops", ...message } satisfies ChatPostMessageArguments;
    expect(JSON.parse(asked?.body ?? "")).toEqual(expected);
  });

  it("is edited as Slack's own types say, by the id of the channel that Slack gave", async () => {
    const first = await send({ answer: 200, body: posted }, { update: "replace" });
    const remembered = { channel: "C0123456789", ts: "1763730000.000100", for: "#ops" };
    expect(first).toEqual({ status: "delivered", remember: remembered });
    expect(await send({ answer: 200, body: posted }, { update: "replace" }, { remembered })).toEqual(first);
    const { unfurl_links: _, unfurl_media: __, ...message } = toSlackMessage(localRequest({}, {}).message, "Stop");
    const expected = { channel: remembered.channel, ts: remembered.ts, ...message } satisfies ChatUpdateArguments;
    expect(receiver.requests.at(-1)?.path).toBe("/api/chat.update");
    expect(JSON.parse(receiver.requests.at(-1)?.body ?? "")).toEqual(expected);
  });

  it.each([
    ["the person wants new ones", {}],
    ["it stood in another channel", { update: "replace", channel: "#elsewhere" }],
  ])("is a new one when %s", async (_why, own) => {
    const remembered = { channel: "C0123456789", ts: "1763730000.000100", for: "#ops" };
    await send({ answer: 200, body: posted }, own, { remembered });
    expect(receiver.requests.at(-1)?.path).toBe("/api/chat.postMessage");
  });

  it("stays plain text whatever stands in it", async () => {
    for (const text of adversarialTexts) {
      const { message } = localRequest({ title: text, body: text, fields: [{ label: text, value: text }] }, {});
      await send({ answer: 200, body: posted }, {}, { message });
      const body = receiver.requests.at(-1)?.body ?? "";
      expect(body.isWellFormed()).toBe(true);
      expect(body.replaceAll(/&(amp|lt|gt);/g, "")).not.toMatch(/[&<>]/);
      for (const shown of textsIn(JSON.parse(body))) expect(shown).not.toMatch(/[\u0000-\u0008\u000B-\u001F]/);
    }
  });
});

describe("what Slack says", () => {
  it("200 with ok:false is the failure that its word means", () =>
    everyRow(
      [
        ["invalid_auth", "unauthorized", /the token is wrong/],
        ["token_revoked", "unauthorized", /new token/],
        ["account_inactive", "unauthorized", /new token/],
        ["not_in_channel", "unauthorized", /\/invite/],
        ["restricted_action", "unauthorized", /ask/],
        ["channel_not_found", "gone", /correct "channel"/],
        ["is_archived", "gone", /archived/],
        ["msg_too_long", "rejected", /report it/],
        ["invalid_blocks", "rejected", /report it/],
        ["no_text", "rejected", /report it/],
        ["internal_error", "serverError", /Slack/],
        ["service_unavailable", "serverError", /Slack/],
        ["fatal_error", "serverError", /Slack/],
        ["ratelimited", "rateLimited", /too many/],
        ["rate_limited", "rateLimited", /too many/],
        ["some_new_error", "rejected", /some_new_error/],
        ["toString", "rejected", /toString/],
      ],
      async ([code, reason, detail]) => {
        expect(await send(error(code))).toEqual({ status: "failed", reason, detail: expect.stringMatching(detail) });
      },
      (row) => JSON.stringify(row),
    ));

  it("repeats what Slack says beside it", async () => {
    const outcome = await send(error("missing_scope", { needed: "chat:write", provided: "users:read" }));
    expect(outcome.detail).toBe(
      'Slack answered 200 missing_scope: give the app the scope chat:write, and install it again (it said "chat:write")',
    );
    const bad = error("invalid_blocks", { response_metadata: { messages: ["[ERROR] no more than 50 items", 7] } });
    expect((await send(bad)).detail).toContain("no more than 50 items");
  });

  const tooMany = '{"ok":false,"error":"ratelimited"}';
  it("is the failure that it means, with the pause that it asks for", () =>
    everyRow<[string, Behaviour, string, number | undefined]>(
      [
        ["429 in seconds", { answer: 429, headers: { "retry-after": "30" }, body: tooMany }, "rateLimited", 30_000],
        ["429 without a time", { answer: 429, body: tooMany }, "rateLimited", undefined],
        ["200, with a time", { answer: 200, headers: { "retry-after": "7" }, body: tooMany }, "rateLimited", 7000],
        ["500", { answer: 500, body: "" }, "serverError", undefined],
        [
          "503 in Slack's words",
          { answer: 503, body: '{"ok":false,"error":"service_unavailable"}' },
          "serverError",
          undefined,
        ],
        ["404 for no such method", { answer: 404, body: "" }, "gone", undefined],
        ["302 to a sign-in page", { answer: 302, headers: { location: "/" }, body: "" }, "rejected", undefined],
        ["a hotel's sign-in page", { answer: 200, body: "<html>Sign in</html>" }, "rejected", undefined],
        ["ok that is no true", { answer: 200, body: '{"ok":"true"}' }, "rejected", undefined],
        ["half an answer", "resetInBody", "unknown", undefined],
        ["a line that breaks", "resetAfterReading", "unknown", undefined],
        ["an answer without an end", "endlessBody", "rejected", undefined],
      ],
      async ([_what, behaviour, reason, retryAfterMs]) => {
        const outcome = await send(behaviour);
        expect(outcome).toMatchObject({ status: "failed", reason });
        expect("retryAfterMs" in outcome ? outcome.retryAfterMs : undefined).toBe(retryAfterMs);
      },
    ));

  it("is not asked again when no one knows whether the message arrived", () => {
    expect(isRetried("unknown", slack.isRepeatHarmless)).toBe(false);
  });

  it.each([200, 401, 500])("leaks no token that a %i repeats", async (answer) => {
    for (const body of [
      `Bearer ${token}`,
      JSON.stringify({ ok: false, error: token }),
      `{"ok":false,"error":"x","needed":"${token}"}`,
    ]) {
      expect(JSON.stringify(await send({ answer, body }))).not.toContain("s3cret");
    }
  });
});

describe("what doctor asks", () => {
  async function probe(behaviour: Behaviour) {
    receiver.behave(behaviour);
    const parsed = slack.settings.parse({ token, channel: "#ops", apiUrl: receiver.origin });
    const settings = await resolveSecrets(parsed, {}, "/nowhere");
    const result = await slack.probe?.(settings as never, localTools({}, "/nowhere", { http }));
    expect(receiver.requests.at(-1)?.path).toBe("/auth.test");
    return result;
  }
  const known = '{"ok":true,"url":"https://x.slack.com/","team":"Works","user":"hookbell","bot_id":"B1"}';

  it("is told what is wrong", () =>
    everyRow<[string, Behaviour, object]>(
      [
        ["a bot", { answer: 200, body: known }, { status: "ok", detail: "Slack knows the bot as hookbell of Works" }],
        [
          "a bot that may write",
          { answer: 200, headers: { "x-oauth-scopes": "users:read,chat:write" }, body: known },
          { status: "ok" },
        ],
        [
          "a bot that may only read",
          { answer: 200, headers: { "x-oauth-scopes": "users:read, chat:write.public" }, body: known },
          { status: "broken", fix: expect.stringContaining("chat:write") },
        ],
        [
          "a wrong token",
          error("invalid_auth"),
          { status: "broken", detail: expect.stringContaining("the token is wrong") },
        ],
        ["someone else", { answer: 200, body: "<html>" }, { status: "broken", detail: "answered 200" }],
      ],
      async ([_what, behaviour, expected]) => {
        expect(await probe(behaviour)).toMatchObject(expected);
      },
    ));

  it.each<[string, string, object]>([
    ["opens a connection", '{"ok":true,"url":"wss://a.example"}', { status: "ok", detail: /brings answers back/ }],
    ["may not", '{"ok":false,"error":"missing_scope"}', { status: "broken", detail: /connections:write/ }],
    ["is refused for now", '{"ok":false,"error":"internal_error"}', { status: "broken", detail: /has a problem/ }],
  ])("of an app's token that %s", async (_what, body, expected) => {
    const parsed = slack.settings.parse({ token, channel: "#ops", appToken: "xapp-1-s3cret", apiUrl: receiver.origin });
    const settings = await resolveSecrets(parsed, {}, "/nowhere");
    const asked: HttpRequest[] = [];
    const scripted = (request: HttpRequest) => {
      asked.push(request);
      return Promise.resolve({ status: 200, headers: {}, body: asked.length === 1 ? known : body });
    };
    const result = await slack.probe?.(settings as never, localTools({}, "/nowhere", { http: scripted }));
    expect(result).toMatchObject({
      ...expected,
      detail: expect.stringMatching((expected as { detail: RegExp }).detail),
    });
    expect(asked[1]).toMatchObject({
      url: `${receiver.origin}/apps.connections.open`,
      headers: { authorization: "Bearer xapp-1-s3cret" },
    });
  });

  it("says of a webhook that its settings are all there is to look at", async () => {
    const settings = await resolveSecrets(slack.settings.parse({ url: receiver.origin }), {}, "/nowhere");
    const before = receiver.requests.length;
    expect(await slack.probe?.(settings as never, localTools({}, "/nowhere", { http }))).toMatchObject({
      status: "ok",
    });
    expect(receiver.requests.length).toBe(before);
  });
});

describe("a session's one message in Slack", () => {
  it.each(["message_not_found", "edit_window_closed", "cant_update_message"])(
    "is edited, and written anew after %s",
    async (gone) => {
      const shown = new Set<string>();
      let count = 0;
      const slackAlike = await startAnsweringReceiver(({ path, body }) => {
        const { ts } = JSON.parse(body) as { ts?: string };
        if (path === "/chat.update" && !shown.has(ts ?? "")) {
          return { status: 200, body: JSON.stringify({ ok: false, error: gone }) };
        }
        const id = ts ?? `1763730000.00000${(count += 1)}`;
        shown.add(id);
        return { status: 200, body: JSON.stringify({ ok: true, channel: "C0123456789", ts: id }) };
      });
      onTestFinished(() => slackAlike.close());
      const running = prepareDispatcher();
      running.writeRules({
        channels: { chat: { type: "slack", token, channel: "#ops", update: "replace", apiUrl: slackAlike.origin } },
        rules: [{ name: "all", notify: ["chat"] }],
      });
      for (const session of ["s1", "s1", "s2", "deleted", "s1", "s1"]) {
        if (session === "deleted") shown.delete("1763730000.000001");
        else {
          running.accept("Stop", { session_id: session });
          await running.run({ idleMs: 0 });
          // What ends within five seconds would leave together.
          running.clock.turn(5000);
        }
      }
      const outcomes = running.journal("attempt").map((entry) => (entry as { outcome?: string }).outcome);
      expect(outcomes).toEqual(Array.from({ length: 5 }, () => "delivered"));
      expect(
        slackAlike.asked.map(({ path, body }) => [path, (JSON.parse(body) as { ts?: string }).ts?.at(-1)]),
      ).toEqual([
        ["/chat.postMessage", undefined],
        ["/chat.update", "1"],
        ["/chat.postMessage", undefined],
        ["/chat.update", "1"],
        ["/chat.postMessage", undefined],
        ["/chat.update", "3"],
      ]);
    },
  );
});
