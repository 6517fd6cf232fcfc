// What every HTTP channel's requests have in common: keys for repeats, levels, edits of a session's message, and probes.
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChannelDefinition } from "../../../src/channels/channel-type.ts";
import type { Rate } from "../../../src/model/figures/token-bucket.ts";
import { levelLooks } from "../../../src/channels/rendering/levels.ts";
import { openFrom, withRequest } from "../../../src/pipeline/channel/endpoint-policy.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import { type Level, levels } from "../../../src/model/level.ts";
import type { Endpoint } from "../../../src/outbox/endpoints.ts";
import { systemClock } from "../../../src/system/clock.ts";
import type { HttpFailure, HttpRequest, HttpResponse } from "../../../src/system/network/http.ts";
import { createSendHttp } from "../../../src/system/network/send.ts";
import { resolveSecrets } from "../../../src/system/secrets.ts";
import { localRequest, localTools } from "../../support/channels/channel-request.ts";
import { readBody, type HttpSample } from "../../support/channels/channel-sample.ts";
import { httpTypes, sampledTypes } from "../../support/channels/channel-samples.ts";
import { startHttpReceiver, type HttpReceiver } from "../../support/receivers/http-receiver.ts";
import { everyRow } from "../../support/rows.ts";

interface Sending {
  level?: Level;
  deliveryId?: string;
  attempt?: number;
}

/** The request that carries the message. */
async function requestOf(
  channel: ChannelDefinition,
  sample: HttpSample,
  { level = "error", deliveryId = "msg_1", attempt = 1 }: Sending,
): Promise<HttpRequest> {
  const settings = await resolveSecrets(channel.settings.parse(sample.settings("https://receiver.example")), {}, "/");
  const made: HttpRequest[] = [];
  const tools = localTools({}, "/nowhere", {
    // A later attempt is made at a later time.
    clock: { ...systemClock, now: () => Date.UTC(2026, 10, 21, 12, attempt) },
    http: (request) => {
      made.push(request);
      return Promise.resolve({ status: 200, headers: {}, body: sample.okBody });
    },
  });
  await channel.send({ ...localRequest({ level }, settings), deliveryId, attempt }, tools);
  return made.at(-1) as HttpRequest;
}

describe("the idempotency key", () => {
  it("is there for every HTTP channel that may be repeated, and for no other", () => {
    const wrong = httpTypes.filter(
      ({ channel, sample }) => channel.isRepeatHarmless !== (sample.idempotencyKey !== undefined),
    );
    expect(wrong.map(({ type }) => type)).toEqual([]);
  });

  const keyed = httpTypes.flatMap(({ sample, ...rest }) =>
    sample.idempotencyKey === undefined ? [] : [{ ...rest, sample, keyIn: sample.idempotencyKey }],
  );
  it.each(keyed)("of $type is the same on every attempt, as is the rest", async ({ type, channel, sample, keyIn }) => {
    const [first, second] = [
      await requestOf(channel, sample, { attempt: 1 }),
      await requestOf(channel, sample, { attempt: 2 }),
    ];
    expect(keyIn(first)).toMatch(/^(msg_1|hookbell-[0-9a-f]{32})$/);
    // Google returns the first message for the same id; a vendor that compared the two would refuse a changed one.
    expect([second.url, second.body]).toEqual([first.url, first.body]);
    expect(keyIn(second)).toBe(keyIn(first));
    // PagerDuty's key is the session's, whose incident it opens or ends.
    const other = await requestOf(channel, sample, { deliveryId: "msg_2" });
    expect(keyIn(other)).toBe(type === "pagerduty" ? keyIn(first) : "msg_2");
  });
});

describe("a level", () => {
  const folder = new URL("../../../src/channels/", import.meta.url);

  it("is told apart by word, sign and colour", () => {
    for (const column of ["word", "mark", "colour", "textColour"] as const) {
      expect(new Set(levels.map((level) => levelLooks[level][column])).size, column).toBe(levels.length);
    }
    for (const level of levels) {
      expect([levelLooks[level].colour, levelLooks[level].textColour].join()).toMatch(/^#[0-9A-F]{6},#[0-9A-F]{6}$/);
    }
  });

  it("is never decided by its name in a channel's code", () => {
    const named = /[!=]== "attention"|level [!=]== "(?!error")/;
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
    expect(sources.filter((path) => named.test(readFileSync(new URL(path, folder), "utf8")))).toEqual([]);
  });

  it("is never less urgent on a screen or in a mail where it matters more", () => {
    const ranks = levels
      .map((level) => levelLooks[level])
      .map(({ urgency, isImportant, isQuiet }) => [
        ["low", "normal", "critical"].indexOf(urgency),
        Number(isImportant),
        -Number(isQuiet),
      ]);
    for (const [index, rank] of ranks.slice(1).entries()) {
      rank.forEach((value, column) => expect(value).toBeGreaterThanOrEqual(ranks[index]?.[column] ?? Number.NaN));
    }
  });

  it("is seen, and heard where it can be, through every HTTP channel", () =>
    everyRow(
      httpTypes,
      async ({ channel, sample }) => {
        const requests = await Promise.all(levels.map((level) => requestOf(channel, sample, { level })));
        const [info, , attention, error] = requests.map(({ body = "" }) => body);
        expect(error).not.toBe(info);
        expect(attention).not.toBe(info);
        const loudness = requests.map((request) => sample.loudness?.(readBody(request)) ?? 0);
        expect(loudness).toEqual(loudness.toSorted((a, b) => a - b));
        expect(sample.loudness === undefined || (loudness[0] ?? 0) < (loudness[3] ?? 0)).toBe(true);
      },
      ({ type }) => type,
    ));
});

const brokenLine: HttpFailure = { failure: "unknown", detail: "the line broke" };
const editors = httpTypes.flatMap(({ sample, ...rest }) =>
  sample.edit === undefined ? [] : [{ ...rest, sample, edit: sample.edit }],
);

describe.each(editors)("a session's one message in $type", ({ channel, sample, edit }) => {
  const okBody = Object.values(sample.otherWays ?? {})[0]?.okBody ?? sample.okBody;

  async function send(
    answer: HttpResponse | HttpFailure,
    more: { event?: Partial<AgentEvent>; update?: string; remembered?: Record<string, string> } = {},
  ) {
    const { settings, remembered } = edit;
    const parsed = channel.settings.parse({ ...settings, update: more.update ?? "replace" });
    const request = localRequest({}, await resolveSecrets(parsed, {}, "/nowhere"), more.remembered ?? remembered);
    const edits: boolean[] = [];
    const http = (made: HttpRequest) => {
      edits.push(edit.isEdit(made));
      return Promise.resolve(answer);
    };
    const event = { ...request.event, ...more.event };
    return { outcome: await channel.send({ ...request, event }, localTools({}, "/nowhere", { http })), edits };
  }

  it("is edited again when the edit may not have arrived, and not sent again when the new message may have", async () => {
    const edited = await send(brokenLine);
    expect(edited.edits).toEqual([true]);
    expect(edited.outcome).toMatchObject({ status: "failed", reason: "network" });
    for (const more of [{ update: "new" }, { remembered: edit.rememberedElsewhere }]) {
      const { outcome, edits } = await send(brokenLine, more);
      expect(edits).toEqual([false]);
      expect(outcome).toMatchObject({ status: "failed", reason: "unknown" });
    }
  });

  it.each<[string, Partial<AgentEvent>]>([
    ["a summary of many", { agent: "hookbell", session: "summary" }],
    ["a notice or a message sent by hand", { agent: "hookbell", session: "send" }],
    ["an event without a session", { session: "" }],
  ])("is not replaced by %s", async (_, event) => {
    const { outcome, edits } = await send({ status: 200, headers: {}, body: okBody }, { event });
    expect(edits).toEqual([false]);
    expect(outcome).toMatchObject({ status: "delivered" });
    expect("remember" in outcome).toBe(false);
  });
});

describe("a probe", () => {
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
  });
  afterAll(() => receiver.close());
  const cases = httpTypes.flatMap(({ type, channel, sample }) =>
    (sample.probes ?? []).map((probe) => ({ type, path: probe.asks.path, channel, probe })),
  );

  it.each(cases)("of $type asks $path, and no message is sent", async ({ channel, probe }) => {
    const settings = await resolveSecrets(channel.settings.parse(probe.settings(receiver.origin)), {}, "/");
    const ask = () => channel.probe?.(settings as never, localTools({}, "/nowhere", { http: createSendHttp({}) }));
    for (const [status, body, result, detail] of probe.answers) {
      receiver.requests.length = 0;
      receiver.behave({ answer: status, body });
      const said = await ask();
      expect(said?.status, body).toBe(result);
      expect(said?.detail).toMatch(detail);
      expect(receiver.requests).toMatchObject([probe.asks]);
      expect(JSON.stringify(said)).not.toContain("s3cret");
    }
    receiver.behave("resetAfterReading");
    expect(await ask()).toMatchObject({ status: "broken" });
  });
});

describe("a rate", () => {
  /** When each of so many messages that all wait from the start may go. */
  function times(rate: Rate, count: number): number[] {
    const start = 1_800_000_000_000;
    let endpoint: Endpoint = { channel: "one" };
    let now = start;
    return Array.from({ length: count }, () => {
      now = openFrom(endpoint, rate, now);
      endpoint = withRequest(endpoint, rate, now);
      return now - start;
    });
  }

  it("of no channel type makes more than the vendor takes", () =>
    everyRow(
      sampledTypes,
      ({ channel, sample }) => {
        expect(channel.rate === undefined).toBe(sample.rates === undefined);
        for (const { messages, perMs } of sample.rates ?? []) {
          const sent = times(channel.rate as Rate, 3 * messages + 1);
          // The message that would be one too many comes when the stretch is over.
          expect(sent.filter((at, index) => at - (sent[index - messages] ?? -Infinity) < perMs)).toEqual([]);
        }
      },
      ({ type }) => type,
    ));
});
