import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import type { ChannelTools, ChannelType } from "../../src/channels/channel-type.ts";
import { channelTypes } from "../../src/channels/all.ts";
import { maxRetryAfterMs } from "../../src/channels/http-channel.ts";
import { isRetried, type FailureReason, type Outcome } from "../../src/model/outcome.ts";
import { resolveSecrets } from "../../src/system/secrets.ts";
import { createSendHttp } from "../../src/system/network/send.ts";
import { localRequest, localTools } from "../support/channels/channel-request.ts";
import {
  startHttpReceiver,
  unusedOrigin,
  type Behaviour,
  type HttpReceiver,
} from "../support/receivers/http-receiver.ts";
import { describeWithParts } from "../support/parts.ts";
import { makeSelfSigned } from "../support/receivers/self-signed.ts";
import { httpCases, httpSamples, otherSamples } from "./channel-samples.ts";

const folder = new URL("../../src/channels/", import.meta.url);
const hour = 60 * 60 * 1000;

describe("the registry", () => {
  const definers = ["channel-type.ts", "http-channel.ts"];
  const defining = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !definers.includes(path))
    .filter((path) => /\bdefine(Http)?Channel\b\s*[<(]/.test(readFileSync(new URL(path, folder), "utf8")))
    .map((path) => basename(path));

  it("has every file that defines a channel type, under the file's own name", () => {
    expect(channelTypes.map(({ type }) => `${type}.ts`).sort()).toEqual(defining.sort());
  });

  it("has every type once", () => {
    expect(new Set(channelTypes.map(({ type }) => type)).size).toBe(channelTypes.length);
  });
});

describe.each(channelTypes.map((channel) => [channel.type, channel] as const))(
  "the channel type %s",
  (type, channel) => {
    it("says what it is and where its vendor's page is", () => {
      expect(type).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(channel.summary).toMatch(/^\S[^\n]{10,100}[^.\s]$/);
      // A program of the person's own has no vendor but us.
      expect(channel.docs).toMatch(type === "command" ? /^README\.md/ : /^https:\/\//);
    });

    it("has limits with unit and source", () => {
      expect(channel.limits.length).toBeGreaterThan(0);
      for (const limit of channel.limits) {
        expect(limit.what, JSON.stringify(limit)).not.toBe("");
        expect(limit.most, limit.what).toBeGreaterThan(0);
        expect(["utf16", "codePoints", "bytes", "items", "milliseconds"]).toContain(limit.unit);
        expect(limit.source, limit.what).toMatch(/^(https:\/\/\S+|ours)$/);
      }
    });

    it("expires, and gives up an attempt long before that", () => {
      expect(channel.expiresAfterMs).toBeLessThanOrEqual(48 * hour);
      expect(channel.timeoutMs).toBeGreaterThan(0);
      expect(channel.timeoutMs).toBeLessThan(channel.expiresAfterMs + 1);
      expect(channel.timeoutMs).toBeLessThanOrEqual(hour / 6);
    });

    it("has settings that describe themselves and refuse what they do not know", () => {
      const schema = z.toJSONSchema(channel.settings, { io: "input" });
      expect(schema.type).toBe("object");
      expect(schema.additionalProperties).toBe(false);
      const sample = sampleSettings(type);
      expect(channel.settings.safeParse(sample).error).toBeUndefined();
      expect(channel.settings.safeParse({ ...sample, noSuchSetting: 1 }).success).toBe(false);
    });

    it("has a sample in test/contract/channel-samples.ts, under the kind that it is", () => {
      const path = readdirSync(folder, { recursive: true, encoding: "utf8" }).find(
        (each) => basename(each) === `${type}.ts`,
      );
      const isHttp = readFileSync(new URL(path ?? "", folder), "utf8").includes("defineHttpChannel");
      expect(Object.hasOwn(httpSamples, type), "httpSamples").toBe(isHttp);
      expect(Object.hasOwn(otherSamples, type), "otherSamples").toBe(!isHttp);
    });
  },
);

function sampleSettings(type: string): Record<string, unknown> {
  return httpSamples[type]?.settings("https://receiver.example") ?? otherSamples[type]?.settings ?? {};
}

interface Row {
  what: string;
  behaviour: Behaviour;
  /** Every reason that is right; `delivered` is one of them. */
  outcome: readonly (FailureReason | "delivered")[];
  retryAfterMs?: number;
}

const date = "Sat, 21 Nov 2026 12:00:00 GMT";
const answers: Row[] = [
  ...[301, 302, 303, 304, 307, 308].map((status) => answered(status, "rejected")),
  ...[400, 402, 405, 406, 409, 413, 415, 422, 451].map((status) => answered(status, "rejected")),
  ...[401, 403].map((status) => answered(status, "unauthorized")),
  ...[404, 410].map((status) => answered(status, "gone")),
  ...[408, 425, 500, 502, 503, 504, 529].map((status) => answered(status, "serverError")),
  answered(429, "rateLimited"),
  { ...answered(429, "rateLimited", { "retry-after": "7" }), retryAfterMs: 7_000 },
  { ...answered(429, "rateLimited", { "retry-after": "0.5" }), retryAfterMs: 500 },
  { ...answered(429, "rateLimited", { "retry-after": "Sat, 21 Nov 2026 12:02:00 GMT", date }), retryAfterMs: 120_000 },
  { ...answered(429, "rateLimited", { "retry-after": "Sat, 21 Nov 2026 11:00:00 GMT", date }), retryAfterMs: 0 },
  { ...answered(429, "rateLimited", { "retry-after": "99999999" }), retryAfterMs: maxRetryAfterMs },
  answered(429, "rateLimited", { "retry-after": "soon" }),
  { ...answered(503, "serverError", { "retry-after": "30" }), retryAfterMs: 30_000 },
  answered(400, "rejected", { "retry-after": "30" }),
  { what: "a line that breaks after the request", behaviour: "resetAfterReading", outcome: ["unknown"] },
  { what: "a line that breaks before the request", behaviour: "resetBeforeReading", outcome: ["network", "unknown"] },
];

function answered(status: number, reason: FailureReason, headers: Record<string, string> = {}): Row {
  const with_ = Object.entries(headers).map(([name, value]) => `, ${name}: ${value}`);
  return { what: `${status}${with_.join("")}`, behaviour: { answer: status, headers }, outcome: [reason] };
}

describe.each(httpCases)("the HTTP channel $name", ({ type, sample }) => {
  const channel = channelTypes.find((candidate) => candidate.type === type) as ChannelType;
  const http = createSendHttp({});
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
  });
  afterAll(() => receiver.close());

  async function attempt(origin: string, more: Partial<ChannelTools> = {}): Promise<Outcome> {
    const settings = await resolveSecrets(channel.settings.parse(sample.settings(origin)), {}, "/nowhere");
    const outcome = await channel.send(localRequest({}, settings), localTools({}, tmpdir(), { http, ...more }));
    for (const printed of [JSON.stringify(outcome), inspect(outcome, { depth: null, showHidden: true })]) {
      for (const secret of sample.secrets) expect(printed).not.toContain(secret);
    }
    expect(outcome.detail ?? "").not.toMatch(/[\n\r\u001B]/);
    return outcome;
  }

  const reasonOf = (outcome: Outcome): string => (outcome.status === "failed" ? outcome.reason : "delivered");

  it.each([200, 201, 202])("takes a %i for a delivery", async (status) => {
    receiver.behave({ answer: status, body: sample.okBody });
    expect(await attempt(receiver.origin)).toMatchObject({ status: "delivered" });
    expect(receiver.requests.at(-1)?.headers["user-agent"]).toMatch(/^hookbell\//);
  });

  it.each(["<html>Welcome to our hotel</html>", "{}", "null", "no"])(
    "takes a 200 that says %s as the vendor means it",
    async (body) => {
      receiver.behave({ answer: 200, body });
      const outcome = await attempt(receiver.origin);
      const isRefused = sample.isBodyDecisive || (sample.isPageRefused === true && body.startsWith("<"));
      expect(outcome.status).toBe(isRefused ? "failed" : "delivered");
      if (isRefused) expect(["rejected", "unknown", "serverError"]).toContain(reasonOf(outcome));
    },
  );

  it.each(answers)("$what", async ({ behaviour, outcome: expected, retryAfterMs }) => {
    receiver.behave(behaviour);
    const before = receiver.requests.length;
    const outcome = await attempt(receiver.origin);
    expect(expected).toContain(reasonOf(outcome));
    const isTrouble = typeof behaviour === "object" && "answer" in behaviour && behaviour.answer >= 500;
    const pauseMs = retryAfterMs ?? (isTrouble ? sample.pauseAfterTroubleMs : undefined);
    expect("retryAfterMs" in outcome ? outcome.retryAfterMs : undefined).toBe(pauseMs);
    expect(outcome.detail).not.toBe("");
    // No retries of its own: those are the dispatcher's.
    // Who gets no answer to a question does not send the message.
    const isStopped = isTrouble || behaviour === "resetAfterReading" || reasonOf(outcome) === "rateLimited";
    const questions = isStopped ? 0 : (sample.questions ?? 0);
    expect(receiver.requests.length - before).toBe(behaviour === "resetBeforeReading" ? 0 : 1 + questions);
  });

  it("is retried where a repeat may do harm only when nothing can have arrived", async () => {
    receiver.behave("resetAfterReading");
    const outcome = await attempt(receiver.origin);
    expect(isRetried(reasonOf(outcome) as FailureReason, channel.isRepeatHarmless)).toBe(channel.isRepeatHarmless);
  });

  it("nobody there", async () => {
    expect(reasonOf(await attempt(await unusedOrigin()))).toBe("network");
  });

  it("no TLS where TLS should be", async () => {
    expect(reasonOf(await attempt(receiver.origin.replace("http:", "https:")))).toBe("network");
  });

  it("a deadline that passes after the request was sent", async () => {
    receiver.behave("hangAfterReading");
    const deadline = new AbortController();
    const received = receiver.nextRequest();
    const outcome = attempt(receiver.origin, { signal: deadline.signal });
    await received;
    deadline.abort();
    expect(reasonOf(await outcome)).toBe("unknown");
  });

  it("a deadline that has passed before", async () => {
    expect(reasonOf(await attempt(receiver.origin, { signal: AbortSignal.abort() }))).toBe("timeout");
  });

  it("an answer without an end", async () => {
    receiver.behave("endlessBody");
    expect(reasonOf(await attempt(receiver.origin))).toBe(sample.isBodyDecisive ? "rejected" : "delivered");
  });

  it("an answer that breaks off in its body", async () => {
    receiver.behave("resetInBody");
    expect(reasonOf(await attempt(receiver.origin))).toBe(sample.isBodyDecisive ? "unknown" : "delivered");
  });

  it.each([200, 400, 403, 500])("leaks no secret when a %i repeats all it was sent", async (status) => {
    receiver.behave({ answer: 200, body: sample.okBody });
    await attempt(receiver.origin);
    const last = receiver.requests.at(-1);
    for (const body of [
      `no route ${receiver.origin}${last?.path}`,
      `no route ${last?.path}`,
      JSON.stringify({ path: last?.path, headers: last?.headers }),
      JSON.stringify({ path: last?.path }).replaceAll("/", "\\/"),
      encodeURIComponent(last?.path ?? ""),
      JSON.stringify(sample.settings(receiver.origin)),
    ]) {
      receiver.behave({ answer: status, body });
      const outcome = await attempt(receiver.origin);
      for (const secret of sample.secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
    }
  });

  it("leaks no secret when its settings are printed", async () => {
    const parsed = channel.settings.parse(sample.settings(receiver.origin));
    const resolved = await resolveSecrets(parsed, {}, "/nowhere");
    for (const settings of [parsed, resolved]) {
      const printed = [
        JSON.stringify(settings),
        inspect(settings, { depth: null, showHidden: true }),
        inspect(settings, { depth: null, customInspect: false }),
        String(Object.values(settings as object)),
      ];
      for (const secret of sample.secrets) expect(printed.join("\n")).not.toContain(secret);
    }
  });

  it("leaks no secret, and sends nothing, when its settings cannot be sent", async () => {
    const before = receiver.requests.length;
    const outcome = await attempt("http://192.0.2.1");
    expect(reasonOf(outcome)).toBe("rejected");
    expect(outcome.detail).toContain("allowHttp");
    expect(receiver.requests.length).toBe(before);
  });

  it("leaks no secret when what should be a URL is none", async () => {
    const origin = "https://receiver.example";
    const elsewhere = Object.entries(sample.settings(origin)).map(([name, value]) =>
      typeof value === "string" && value.startsWith(origin) ? [name, { env: "BROKEN" }] : [name, value],
    );
    const parsed = channel.settings.parse(Object.fromEntries(elsewhere));
    const settings = await resolveSecrets(parsed, { BROKEN: "s3cret-but-no-URL" }, "/nowhere");
    const outcome = await channel.send(localRequest({}, settings), localTools({}, tmpdir(), { http }));
    expect(reasonOf(outcome)).toBe("rejected");
    expect(JSON.stringify(outcome)).not.toContain("s3cret");
  });
});

describeWithParts("a receiver whose certificate nobody vouches for", ["openssl"], () => {
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await startHttpReceiver({ tls: makeSelfSigned(["127.0.0.1"]) });
  });
  afterAll(() => receiver.close());

  it.each(httpCases)("gets nothing from $name", async ({ type, sample }) => {
    const channel = channelTypes.find((candidate) => candidate.type === type) as ChannelType;
    const parsed = channel.settings.parse(sample.settings(receiver.origin));
    const settings = await resolveSecrets(parsed, {}, "/nowhere");
    const tools = localTools({}, tmpdir(), { http: createSendHttp({}) });
    const outcome = await channel.send(localRequest({}, settings), tools);
    expect(outcome).toMatchObject({ reason: "network", detail: expect.stringContaining("certificate") });
    expect(receiver.requests).toEqual([]);
    for (const secret of sample.secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
  });
});
