import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ntfy } from "../../../../src/channels/phone/ntfy/ntfy.ts";
import { maxBody } from "../../../../src/channels/phone/ntfy/publish.ts";
import type { AgentEvent } from "../../../../src/model/event.ts";
import { levels } from "../../../../src/model/level.ts";
import { ofAllSessions } from "../../../../src/model/own-events.ts";
import { measures } from "../../../../src/model/text.ts";
import { loadRules } from "../../../../src/rules/load.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { expectPlain, push, textsIn, verdict } from "../../../support/channels/pushed.ts";
import { everyRow } from "../../../support/rows.ts";

const topic = "s3cretTopic_of-mine";
const taken = { body: '{"id":"hwQ2YpKdmg","event":"message"}' };
const bytes = (most: number) => z.string().refine((text) => measures.bytes(text) <= most);

/** https://docs.ntfy.sh/publish/#publish-as-json and the server's own limits. */
const published = z.strictObject({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: bytes(1024).min(1),
  message: bytes(4096).min(1),
  priority: z.int().min(1).max(5),
  tags: z.array(bytes(512)),
  sequence_id: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
});
const maxRequestBytes = 8192;

describe("what ntfy is sent", () => {
  it("is JSON for the server's root", async () => {
    const { request, body, outcome } = await push(ntfy, { topic }, { answer: taken });
    expect(outcome).toEqual({ status: "delivered", detail: "answered 200" });
    expect(request).toMatchObject({ method: "POST", url: "https://ntfy.sh/" });
    expect(request?.headers).toEqual({ "content-type": "application/json; charset=utf-8" });
    expect(body).toEqual({
      topic,
      title: "shop: done",
      message: "All tests pass.",
      priority: 3,
      tags: ["white_check_mark"],
      sequence_id: "msg_1",
    });
  });

  it("carries the token, to the server of the settings", async () => {
    const settings = { topic, server: "https://example.org/ntfy", token: "tk_abc" };
    const { request } = await push(ntfy, settings, { answer: taken });
    expect(request?.url).toBe("https://example.org/ntfy/");
    expect(request?.headers).toMatchObject({ authorization: "Bearer tk_abc" });
  });

  it("has a priority and an emoji of its own for each level", async () => {
    const made = await Promise.all(levels.map((level) => push(ntfy, { topic }, { message: { level } })));
    expect(made.map(({ body }) => [body.priority, body.tags])).toEqual([
      [2, []],
      [3, ["white_check_mark"]],
      [4, ["warning"]],
      [5, ["rotating_light"]],
    ]);
  });

  it("replaces the session's earlier message, or stands alone", async () => {
    const session = { agent: "droid", session: "s-1", id: "evt_1" };
    const remembered = { id: "msg_0" };
    const sequenceOf = async (update: string, event: Partial<AgentEvent>, isList?: boolean) =>
      (await push(ntfy, { topic, update }, { event, remembered, isList })).body.sequence_id;
    expect(await sequenceOf("replace", session)).toBe("msg_0");
    expect(await sequenceOf("new", session)).toBe("msg_1");
    expect(await sequenceOf("new", { ...session, ...ofAllSessions }, true)).toBe("msg_0");
    for (const event of [
      { ...session, agent: "hookbell" },
      { ...session, session: "" },
    ]) {
      expect(await sequenceOf("replace", event)).toBe("msg_1");
    }
  });

  it("says when the server is too old to replace anything", async () => {
    const settings = { topic, update: "replace" };
    const old = await push(ntfy, settings, { answer: { body: '{"id":"1","event":"message"}' } });
    expect(old.outcome).toMatchObject({ status: "delivered", detail: expect.stringMatching(/older than 2\.16/) });
    const able = await push(ntfy, settings, { answer: { body: '{"id":"1","sequence_id":"abc","event":"message"}' } });
    expect(able.outcome).toEqual({ status: "delivered", detail: "answered 200", remember: { id: "msg_1" } });
  });

  it("takes whatever a stranger wrote for text", () =>
    everyRow(
      adversarialTexts,
      async (text) => {
        const message = { title: text, body: text, fields: [{ label: text, value: text }] };
        const { request, body } = await push(ntfy, { topic }, { message, event: { name: text, project: text } });
        expect(published.safeParse(body).error).toBeUndefined();
        expect(measures.bytes(request?.body ?? "")).toBeLessThanOrEqual(maxRequestBytes);
        for (const shown of textsIn(body)) expectPlain(shown);
      },
      (text) => JSON.stringify(text.slice(0, 40)),
    ));

  it("fits a body at its limit", () =>
    everyRow(
      [
        ["x".repeat(maxBody), maxBody],
        ["x".repeat(maxBody + 1), maxBody],
        ["😀".repeat(maxBody / 4), maxBody],
        [`😀${"x".repeat(maxBody)}`, maxBody],
        ['"'.repeat(maxBody + 1), maxBody],
      ],
      async ([text, length]) => {
        const { body } = await push(ntfy, { topic }, { message: { body: text } });
        expect(measures.bytes(String(body.message))).toBe(length);
        expect(String(body.message).endsWith("…")).toBe(measures.bytes(text) > maxBody);
      },
      (row) => JSON.stringify(row),
    ));
});

describe("what ntfy answers", () => {
  const minute = 60_000;
  const date = "Sat, 21 Nov 2026 22:30:00 GMT";
  it("is read for what it means", () =>
    everyRow(
      [
        [200, taken.body, "delivered", undefined],
        [200, "<html>Sign in</html>", "rejected", undefined],
        [400, '{"code":40009,"http":400,"error":"invalid request: topic invalid"}', "rejected", undefined],
        [400, '{"code":40010,"http":400}', "rejected", undefined],
        [400, '{"code":40024,"http":400}', "rejected", undefined],
        [401, '{"code":40101,"http":401,"error":"unauthorized"}', "unauthorized", undefined],
        [403, '{"code":40301,"http":403,"error":"forbidden"}', "unauthorized", undefined],
        [404, '{"code":40401,"http":404,"error":"page not found"}', "gone", undefined],
        [413, '{"code":41303,"http":413}', "rejected", undefined],
        [429, '{"code":42901,"http":429,"error":"limit reached: too many requests"}', "rateLimited", undefined],
        [429, '{"code":42905,"http":429}', "rateLimited", 90 * minute],
        [
          429,
          '{"code":42908,"http":429,"error":"limit reached: daily message quota reached"}',
          "rateLimited",
          90 * minute,
        ],
        [429, '{"code":42909,"http":429}', "unauthorized", undefined],
        [500, '{"code":50001,"http":500}', "serverError", undefined],
        [507, '{"code":50701,"http":507}', "serverError", undefined],
        [400, '{"code":"toString"}', "rejected", undefined],
      ],
      async ([status, body, reason, retryAfterMs]) => {
        const { outcome } = await push(ntfy, { topic }, { answer: { status, body, headers: { date } } });
        expect(verdict(outcome)).toEqual([reason, retryAfterMs]);
      },
      (row) => JSON.stringify(row),
    ));

  it.each([[undefined], ["nonsense"], ["Thu, 01 Jan 1600 00:00:00 GMT"]])(
    "a used-up day, by a server whose clock says %s",
    async (at) => {
      const headers: Record<string, string> = at === undefined ? {} : { date: at };
      const answer = { status: 429, body: '{"code":42908}', headers };
      const { outcome } = await push(ntfy, { topic }, { answer });
      expect(verdict(outcome)).toEqual(["rateLimited", ntfy.expiresAfterMs]);
      expect(outcome.detail).toMatch(/the day's messages are used up.*midnight UTC/);
    },
  );
});

describe("a topic", () => {
  it("is not what no server takes", () =>
    everyRow(["mine/yours", "", "a".repeat(65), "my topic", "../x", "tøpic"], async (bad) => {
      expect(ntfy.settings.safeParse({ topic: bad }).success).toBe(false);
      const { outcome, request } = await push(ntfy, { topic: { env: "T" } }, { env: { T: bad || " " } });
      expect(request).toBeUndefined();
      expect(verdict(outcome)).toEqual(["rejected", undefined]);
    }));

  it("of ntfy.sh is open to everybody, so few of the agent's words go there by themselves", () =>
    everyRow(
      [
        ["none", {}],
        ["none", { server: "https://ntfy.sh" }],
        ["none", { server: "https://NTFY.sh./" }],
        ["none", { server: "https://ntfy.sh:443/", token: "tk_mine" }],
        // Where it leads is known only when sending.
        ["none", { server: { env: "NTFY_SERVER" } }],
        ["none", { server: { file: "~/ntfy-server" } }],
        ["summary", { server: "https://ntfy.example.org" }],
        ["summary", { server: "http://127.0.0.1:8080", allowHttp: true }],
        ["summary", { server: "https://notntfy.sh/ntfy.sh" }],
        ["full", { server: "https://ntfy.sh", content: "full" }],
        ["none", { server: "https://ntfy.example.org", content: "none" }],
      ],
      async ([content, more]) => {
        const channel = { type: "ntfy", topic: { env: "T" }, ...more };
        const loaded = await loadRules(JSON.stringify({ channels: { phone: channel }, rules: [] }));
        expect(loaded.status === "good" && loaded.rules.channels.phone?.content).toBe(content);
      },
      (row) => JSON.stringify(row),
    ));

  const own = {
    server: "https://ntfy.example.org",
    token: "tk_machine",
    replyTopic: "replies",
    replyToken: "tk_phone",
  };
  it("for answers is one that no one else can read or write", () =>
    everyRow(
      [
        ["is taken", {}, undefined],
        ["on ntfy.sh is refused", { server: "https://ntfy.sh" }, /anyone can use a topic of ntfy\.sh/],
        [
          "on a server that is not named is refused",
          { server: { env: "SERVER" } },
          /anyone can use a topic of ntfy\.sh/,
        ],
        ["without a token is refused", { token: undefined }, /needs "token"/],
        ["without a reply topic is refused", { replyTopic: undefined }, /needs "replyTopic"/],
        ["without a token for the phone is refused", { replyToken: undefined }, /needs "replyToken"/],
        ["in one topic is refused", { replyTopic: topic }, /another topic than "topic"/],
        ["that shows the machine's token is refused", { replyToken: "tk_machine" }, /must not be "token"/],
      ],
      async ([_what, more, problem]) => {
        const phone = { type: "ntfy", topic, ...own, ...more, answers: true };
        const loaded = await loadRules(JSON.stringify({ answers: {}, channels: { phone }, rules: [] }));
        const problems = loaded.status === "good" ? [] : loaded.problems.map(({ message }) => message);
        expect(problems).toEqual(problem === undefined ? [] : [expect.stringMatching(problem)]);
      },
    ));
});
