// No secret comes back from any call of any channel type, whatever the receiver repeats of what it was sent.
import { afterAll, beforeAll, expect, it } from "vitest";
import { callChannel } from "../../../src/pipeline/channel/call-channel.ts";
import type { Message } from "../../../src/model/message.ts";
import { loadRules } from "../../../src/rules/load.ts";
import type { Channel } from "../../../src/rules/rules.ts";
import type { HttpRequest, SendHttp } from "../../../src/system/network/http.ts";
import { localRequest } from "../../support/channels/channel-request.ts";
import type { HttpWay } from "../../support/channels/channel-sample.ts";
import { httpWays } from "../../support/channels/channel-samples.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { startEchoingReceiver, type EchoingReceiver } from "../../support/receivers/echoing-receiver.ts";
import { everyRow } from "../../support/rows.ts";

const ways = httpWays.filter(({ type }) => type !== "_template");
/** What some ways need besides before a person can answer through them. */
const forAnswers: Readonly<Record<string, Record<string, unknown>>> = {
  "slack as a bot": { appToken: "xapp-1-A0-1111-s3cretTokenOfSlackApp" },
  ntfy: { replyTopic: "s3cretReplyTopic", replyToken: "tk_s3cretReplyToken" },
};
const answerSecrets = ["s3cretTokenOfSlackApp", "s3cretReplyTopic", "s3cretReplyToken"];

/** Each way, and once more with what answers need. */
const rows = ways.flatMap(({ name, type, way }) => {
  const more = forAnswers[name];
  const secrets = [...way.secrets, ...answerSecrets];
  const plain = { name, type, way, secrets, more: {} };
  return more === undefined ? [plain] : [plain, { ...plain, name: `${name} with answers`, more }];
});

/** Every place that some type remembers. */
const place = {
  message: "41",
  chat: "77",
  bot: "1",
  channel: "C1",
  ts: "1.2",
  thread: "",
  for: "C1",
  room: "!r:example.org",
  event: "$e",
  tag: "hookbell-t",
  sequence: "s",
  dedupKey: "d",
  receipt: "r",
};
const card: Message = { title: "Bash: allowed", body: "npm test", level: "info", fields: [] };
const buttons = [{ choice: "deny", label: "Deny", nonce: "n0nce" }] as const;
const question = { buttons, onReply: () => {}, over: new AbortController().signal };

type Call = (channel: Channel, settings: never, tools: Parameters<Channel["channelType"]["send"]>[1]) => unknown;
const calls: Readonly<Record<string, Call | undefined>> = {
  send: ({ channelType }, settings, tools) => channelType.send(localRequest({}, settings), tools),
  ask: ({ channelType }, settings, tools) => channelType.send({ ...localRequest({}, settings), question }, tools),
  edit: ({ channelType }, settings, tools) => channelType.send(localRequest({}, settings, place), tools),
  retract: ({ channelType }, settings, tools) => channelType.retract?.(settings, place, tools, "answered"),
  acknowledged: ({ channelType }, settings, tools) => channelType.acknowledged?.(settings, place, tools),
  probe: ({ channelType }, settings, tools) => channelType.probe?.(settings, tools),
  close: ({ channelType }, settings, tools) => channelType.answers?.close?.(settings, place, card, tools),
  listen: ({ channelType }, settings, tools) => channelType.answers?.listen?.(settings, () => "", tools),
};

/** Receivers that say what they were sent: as an error, as a success, and as a page. */
function echoes({ okBody }: HttpWay): SendHttp[] {
  const said = ({ url, headers, body }: HttpRequest): string =>
    `${url} ${Object.entries(headers ?? {})
      .flat()
      .join(" ")} ${body ?? ""}`;
  const names = ["error", "errmsg", "msg", "message", "description", "errorDescription", "detail", "event_id", "ts"];
  const refusing = (words: string) => ({
    ok: false,
    status: 0,
    code: 19_001,
    errcode: 40_035,
    ...Object.fromEntries(names.map((name) => [name, words])),
    errors: [words],
  });
  const agreeing = (words: string): unknown => {
    const grown = (value: unknown): unknown => {
      if (typeof value === "string") return `${value} ${words}`;
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, grown(each)]));
    };
    try {
      return {
        ...(grown(JSON.parse(okBody)) as object),
        receipt: words,
        acknowledged: 1,
        acknowledged_by_device: words,
      };
    } catch {
      return { ok: true, status: 1, acknowledged: 1, receipt: words, acknowledged_by_device: words };
    }
  };
  const unreachable: SendHttp = (request) =>
    Promise.resolve({ failure: "network", detail: `no route to ${said(request)}` });
  const answering = [200, 400, 401, 403, 500].flatMap((status) =>
    [refusing, agreeing, (words: string) => words].map((bodyOf): SendHttp => {
      let requests = 0;
      return (request) => {
        requests += 1;
        // A listener that found nothing to complain of would ask for ever.
        if (requests > 5) return unreachable(request, { timeoutMs: 0 });
        const body = bodyOf(said(request));
        const text = typeof body === "string" ? body : JSON.stringify(body);
        return Promise.resolve({ status, headers: { location: said(request), "x-oauth-scopes": text }, body: text });
      };
    }),
  );
  return [...answering, unreachable];
}

let receiver: EchoingReceiver;
beforeAll(async () => {
  receiver = await startEchoingReceiver([403]);
});
afterAll(() => receiver.close());

/** How many calls' raw results had a secret: a test that finds none anywhere would prove nothing. */
const leaking = new Set<string>();

it("no call of any channel returns or throws a secret", () =>
  everyRow(rows, async ({ name, type, way, secrets, more }) => {
    const { dispatcher, clock } = prepareDispatcher();
    const loaded = await loadRules(
      JSON.stringify({
        answers: {},
        channels: { ops: { type, ...way.settings(receiver.origin(403)), ...more } },
        rules: [],
      }),
    );
    if (loaded.status !== "good") throw new Error(JSON.stringify(loaded.problems));
    await dispatcher.rereadRules();
    const channel = loaded.rules.channels.ops as Channel;
    for (const [what, call] of Object.entries(calls)) {
      for (const http of echoes(way)) {
        const tools = { ...dispatcher.tools, http, clock: { ...clock, after: soon } };
        let raw: unknown;
        const called = await callChannel(
          { ...dispatcher, tools },
          channel,
          { signal: new AbortController().signal },
          async (...given) => {
            try {
              return (raw = await call?.(channel, ...given));
            } catch (error) {
              raw = String(error);
              throw error;
            }
          },
        );
        const isIn = (value: unknown): boolean =>
          secrets.some((secret) => JSON.stringify(value ?? "").includes(secret));
        if (isIn(raw)) leaking.add(what);
        expect(isIn(called), `${name}, ${what}: ${JSON.stringify(called)}`).toBe(false);
      }
    }
  }));

it("finds what would leak without the cleaning", () => {
  expect([...leaking].toSorted()).toEqual(Object.keys(calls).toSorted());
});

/** Pauses between tries are over at once. */
function soon(_delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, 0);
  return () => clearTimeout(timer);
}
