// What an answer of a vendor, or none, means for a delivery; and that no secret is in what is said about it.
import { tmpdir } from "node:os";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChannelTools } from "../../../src/channels/channel-type.ts";
import { maxRetryAfterMs } from "../../../src/channels/http-channel.ts";
import { isRetried, type FailureReason, type Outcome } from "../../../src/model/outcome.ts";
import { resolveSecrets } from "../../../src/system/secrets.ts";
import { createSendHttp } from "../../../src/system/network/send.ts";
import { localRequest, localTools } from "../../support/channels/channel-request.ts";
import {
  startHttpReceiver,
  unusedOrigin,
  type Behaviour,
  type HttpReceiver,
} from "../../support/receivers/http-receiver.ts";
import { describeWithParts } from "../../support/parts.ts";
import { makeSelfSigned } from "../../support/receivers/self-signed.ts";
import { httpWays } from "../../support/channels/channel-samples.ts";
import { everyRow } from "../../support/rows.ts";

type HttpWay = (typeof httpWays)[number];

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

type Attempt = (origin: string, more?: Partial<ChannelTools>) => Promise<Outcome>;

describe("every HTTP channel", () => {
  const http = createSendHttp({});
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
  });
  afterAll(() => receiver.close());

  /** Sends by this way, and sees that no secret is in what comes of it. */
  const attemptBy = ({ channel, way }: HttpWay): Attempt => {
    const settingsFor = new Map<string, Promise<unknown>>();
    return async (origin, more = {}) => {
      const known = settingsFor.get(origin);
      const read = known ?? resolveSecrets(channel.settings.parse(way.settings(origin)), {}, "/nowhere");
      settingsFor.set(origin, read);
      const settings = await read;
      const outcome = await channel.send(localRequest({}, settings), localTools({}, tmpdir(), { http, ...more }));
      const printed = [JSON.stringify(outcome), inspect(outcome, { depth: null, showHidden: true })].join("\n");
      expect(way.secrets.filter((secret) => printed.includes(secret))).toEqual([]);
      expect(outcome.detail ?? "").not.toMatch(/[\n\r\u001B]/);
      return outcome;
    };
  };

  const everyWay = (check: (way: HttpWay, attempt: Attempt) => Promise<void>): Promise<void> =>
    everyRow(httpWays, (way) => check(way, attemptBy(way)));

  const reasonOf = (outcome: Outcome): string => (outcome.status === "failed" ? outcome.reason : "delivered");

  it("takes the vendor's yes for a delivery, and another server's 200 for none", () =>
    everyWay(async ({ way }, attempt) => {
      for (const status of [200, 201, 202]) {
        receiver.behave({ answer: status, body: way.okBody });
        expect(await attempt(receiver.origin), String(status)).toMatchObject({ status: "delivered" });
        expect(receiver.requests.at(-1)?.headers["user-agent"]).toMatch(/^hookbell\//);
      }
      for (const body of ["<html>Welcome to our hotel</html>", "{}", "null", "no"]) {
        receiver.behave({ answer: 200, body });
        const outcome = await attempt(receiver.origin);
        const isRefused = way.isBodyDecisive || (way.isPageRefused === true && body.startsWith("<"));
        expect(outcome.status, body).toBe(isRefused ? "failed" : "delivered");
        if (isRefused) expect(["rejected", "unknown", "serverError"]).toContain(reasonOf(outcome));
      }
    }));

  it("reads every answer by its status", () =>
    everyWay(async ({ way }, attempt) => {
      for (const { what, behaviour, outcome: expected, retryAfterMs } of answers) {
        receiver.behave(behaviour);
        const before = receiver.requests.length;
        const outcome = await attempt(receiver.origin);
        expect(expected, what).toContain(reasonOf(outcome));
        const isTrouble = typeof behaviour === "object" && "answer" in behaviour && behaviour.answer >= 500;
        const pauseMs = retryAfterMs ?? (isTrouble ? way.pauseAfterTroubleMs : undefined);
        expect("retryAfterMs" in outcome ? outcome.retryAfterMs : undefined, what).toBe(pauseMs);
        expect(outcome.detail, what).not.toBe("");
        // No retries of its own: those are the dispatcher's.
        expect(receiver.requests.length - before, what).toBe(behaviour === "resetBeforeReading" ? 0 : 1);
      }
    }));

  it("keeps the connection only where a repeat does no harm", () =>
    everyWay(async ({ channel }, attempt) => {
      receiver.behave({ answer: 200, body: "{}" });
      const before = receiver.connectionCount();
      for (let count = 0; count < 3; count += 1) await attempt(receiver.origin);
      const perMessage = (receiver.connectionCount() - before) / 3;
      expect(perMessage < 1).toBe(channel.isRepeatHarmless);
    }));

  it("is retried where a repeat may do harm only when nothing can have arrived", () =>
    everyWay(async ({ channel }, attempt) => {
      receiver.behave("resetAfterReading");
      const outcome = await attempt(receiver.origin);
      expect(isRetried(reasonOf(outcome) as FailureReason, channel.isRepeatHarmless)).toBe(channel.isRepeatHarmless);
    }));

  it("takes a server that is not there, or has no TLS, for a trouble of the network", () =>
    everyWay(async (_way, attempt) => {
      expect(reasonOf(await attempt(unusedOrigin))).toBe("network");
      expect(reasonOf(await attempt(receiver.origin.replace("http:", "https:")))).toBe("network");
    }));

  it("knows whether the request was sent when the deadline passed", () =>
    everyWay(async (_way, attempt) => {
      receiver.behave("hangAfterReading");
      const deadline = new AbortController();
      const received = receiver.nextRequest();
      const outcome = attempt(receiver.origin, { signal: deadline.signal });
      await received;
      deadline.abort();
      expect(reasonOf(await outcome)).toBe("unknown");
      expect(reasonOf(await attempt(receiver.origin, { signal: AbortSignal.abort() }))).toBe("timeout");
    }));

  it("reads an answer without an end, and one that breaks off", () =>
    everyWay(async ({ way }, attempt) => {
      receiver.behave("endlessBody");
      expect(reasonOf(await attempt(receiver.origin))).toBe(way.isBodyDecisive ? "rejected" : "delivered");
      receiver.behave("resetInBody");
      expect(reasonOf(await attempt(receiver.origin))).toBe(way.isBodyDecisive ? "unknown" : "delivered");
    }));

  it("leaks no secret when the receiver repeats all it was sent", () =>
    everyWay(async ({ way }, attempt) => {
      receiver.behave({ answer: 200, body: way.okBody });
      await attempt(receiver.origin);
      const last = receiver.requests.at(-1);
      const bodies = [
        `no route ${receiver.origin}${last?.path}`,
        `no route ${last?.path}`,
        JSON.stringify({ path: last?.path, headers: last?.headers }),
        JSON.stringify({ path: last?.path }).replaceAll("/", "\\/"),
        encodeURIComponent(last?.path ?? ""),
        JSON.stringify(way.settings(receiver.origin)),
      ];
      for (const [status, body] of [200, 400, 403, 500].flatMap((code) =>
        bodies.map((each) => [code, each] as const),
      )) {
        receiver.behave({ answer: status, body });
        const outcome = await attempt(receiver.origin);
        for (const secret of way.secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
      }
    }));

  it("leaks no secret when its settings are printed", () =>
    everyWay(async ({ channel, way }) => {
      const parsed = channel.settings.parse(way.settings(receiver.origin));
      const resolved = await resolveSecrets(parsed, {}, "/nowhere");
      for (const settings of [parsed, resolved]) {
        const printed = [
          JSON.stringify(settings),
          inspect(settings, { depth: null, showHidden: true }),
          inspect(settings, { depth: null, customInspect: false }),
          String(Object.values(settings as object)),
        ];
        for (const secret of way.secrets) expect(printed.join("\n")).not.toContain(secret);
      }
    }));

  it("leaks no secret, and sends nothing, when its settings cannot be sent", () =>
    everyWay(async (_way, attempt) => {
      const before = receiver.requests.length;
      const outcome = await attempt("http://192.0.2.1");
      expect(reasonOf(outcome)).toBe("rejected");
      expect(outcome.detail).toContain("allowHttp");
      expect(receiver.requests.length).toBe(before);
    }));

  it("leaks no secret when what should be a URL is none", () =>
    everyWay(async ({ channel, way }) => {
      const origin = "https://receiver.example";
      const elsewhere = Object.entries(way.settings(origin)).map(([name, value]) =>
        typeof value === "string" && value.startsWith(origin) ? [name, { env: "BROKEN" }] : [name, value],
      );
      const parsed = channel.settings.parse(Object.fromEntries(elsewhere));
      const settings = await resolveSecrets(parsed, { BROKEN: "s3cret-but-no-URL" }, "/nowhere");
      const outcome = await channel.send(localRequest({}, settings), localTools({}, tmpdir(), { http }));
      expect(reasonOf(outcome)).toBe("rejected");
      expect(JSON.stringify(outcome)).not.toContain("s3cret");
    }));
});

describeWithParts("a receiver whose certificate no one vouches for", ["openssl"], () => {
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await startHttpReceiver({ tls: makeSelfSigned(["127.0.0.1"]) });
  });
  afterAll(() => receiver.close());

  it("gets nothing from any HTTP channel", () =>
    everyRow(httpWays, async ({ channel, way }) => {
      const parsed = channel.settings.parse(way.settings(receiver.origin));
      const settings = await resolveSecrets(parsed, {}, "/nowhere");
      const tools = localTools({}, tmpdir(), { http: createSendHttp({}) });
      const outcome = await channel.send(localRequest({}, settings), tools);
      expect(outcome).toMatchObject({ reason: "network", detail: expect.stringContaining("certificate") });
      expect(receiver.requests).toEqual([]);
      for (const secret of way.secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
    }));
});
