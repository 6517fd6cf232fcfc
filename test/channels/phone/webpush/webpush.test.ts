// What the devices of a web push channel are sent, and what the answers of push services mean.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RichMessage, SendRequest } from "../../../../src/channels/channel-type.ts";
import {
  listSubscribers,
  storeSubscription,
  subscriptionSchema,
} from "../../../../src/channels/phone/webpush/subscriptions.ts";
import { webpush } from "../../../../src/channels/phone/webpush/webpush.ts";
import { levels } from "../../../../src/model/level.ts";
import type { Outcome } from "../../../../src/model/outcome.ts";
import type { HttpResponse } from "../../../../src/system/network/http.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { localRequest } from "../../../support/channels/channel-request.ts";
import { verdict } from "../../../support/channels/pushed.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";
import { created, devicesIn, pairWithBrowser, type Devices } from "./pushed-to.ts";

const at = Date.parse("2026-11-21T12:00:00.000Z");
const hour = 60 * 60;

async function send(
  { tools }: Pick<Devices, "tools">,
  settings: object = {},
  message: Partial<RichMessage> = {},
  more: Partial<SendRequest<unknown>> = {},
): Promise<Outcome> {
  const sent = localRequest(message, webpush.settings.parse(settings));
  return await webpush.send({ ...sent, ...more }, { ...tools, clock: createFakeClock(at + 60_000) });
}

const answering = (status: number, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers,
  body: "",
});

describe("a message", () => {
  it("reaches every device encrypted, signed by one key, and no push service can read it", async () => {
    const folder = temporaryFolder();
    const devices = devicesIn(folder, ["Ann's phone", "Ben's desk"]);
    expect(await send(devices)).toEqual({ status: "delivered", detail: "reached Ann's phone and Ben's desk" });
    const received = devices.received();
    for (const { message, claims } of received) {
      expect(message).toEqual({
        tag: "msg_1",
        title: "shop: done",
        body: "All tests pass.",
        level: "success",
        session: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
      });
      expect(claims).toEqual({
        aud: "https://push.example.net",
        exp: at / 1000 + 60 + 12 * hour,
        sub: "https://laptop.example.org",
      });
    }
    expect(JSON.stringify(devices.requests)).not.toMatch(/shop: done|tests pass/);
    const key = JSON.parse(readFileSync(join(folder, "devices/vapid.key"), "utf8")) as { publicKey: string };
    expect(received.map(({ sender }) => sender)).toEqual([key.publicKey, key.publicKey]);
  });

  it("is sent by a key that only its owner can read, as are the addresses of the devices (posix)", async () => {
    const folder = temporaryFolder();
    await send(devicesIn(folder, ["Ann's phone"]), {});
    for (const name of ["vapid.key", "00000000.push"])
      expect(statSync(join(folder, "devices", name)).mode & 0o777).toBe(0o600);
  });

  it("goes to the named devices only, and says which are not subscribed", async () => {
    const devices = devicesIn(temporaryFolder(), ["Ann's phone", "Ben's desk"]);
    expect(await send(devices, { devices: ["Ben's desk", "00000000"] })).toMatchObject({
      detail: "reached Ann's phone and Ben's desk",
    });
    expect(await send(devices, { devices: ["Ben's desk"] })).toMatchObject({ detail: "reached Ben's desk" });
    const outcome = await send(devices, { devices: ["Cem"] });
    expect(outcome).toMatchObject({
      status: "failed",
      reason: "unavailable",
      detail: expect.stringContaining('"Cem" is not subscribed'),
    });
  });

  it("is as urgent as its level, and kept for as long as it is news", async () => {
    const devices = devicesIn(temporaryFolder(), ["phone"]);
    for (const level of levels) await send(devices, {}, { level });
    await send(devices, {}, { level: "error" }, { isSilent: true });
    const headers = devices.requests.map(({ headers = {} }) => [headers.urgency, headers.ttl]);
    const ttl = String(4 * hour - 60);
    expect(headers).toEqual(["low", "normal", "high", "high", "low"].map((urgency) => [urgency, ttl]));
    expect(devices.received().at(-1)?.message).toMatchObject({ isSilent: true });
  });

  it("of an answered question replaces the question, also where the device has not got it yet", async () => {
    const devices = devicesIn(temporaryFolder(), ["phone"]);
    const { event } = localRequest({}, {});
    const asked = { ...event, name: "PermissionRequest" };
    const outcome = await send(devices, {}, {}, { event: asked });
    if (outcome.status === "failed" || outcome.remember === undefined) throw new Error(JSON.stringify(outcome));
    await webpush.retract?.({} as never, outcome.remember, devices.tools, "answered at the terminal after 41s");
    const [question, end] = devices.received();
    expect(end?.message).toEqual({
      tag: question?.message.tag,
      session: question?.message.session,
      title: "Answered at the terminal after 41s",
      body: "",
      level: "info",
      isOver: true,
    });
    const topics = devices.requests.map(({ headers = {} }) => headers.topic);
    expect(topics[1]).toBe(topics[0]);
    expect(await send(devices)).not.toHaveProperty("remember");
  });
});

describe("the answer of a push service", () => {
  it.each([404, 410])("%i ends the subscription, which is said, and others are not touched", async (status) => {
    const folder = temporaryFolder();
    const devices = devicesIn(folder, ["phone", "desk"], (name) => (name === "phone" ? answering(status) : created));
    const outcome = await send(devices);
    expect(outcome).toMatchObject({ status: "delivered" });
    expect(outcome.detail).toMatch(
      new RegExp(`^reached desk; phone: its subscription has ended \\(answered ${status}\\) and was removed`),
    );
    expect(listSubscribers(folder).map(({ name }) => name)).toEqual(["desk"]);
    expect(existsSync(join(folder, "devices/00000000.json"))).toBe(true);
    expect(await send(devices, { devices: ["phone"] })).toMatchObject({ reason: "unavailable" });
  });

  it("keeps a subscription that was renewed while the old one ended", async () => {
    const folder = temporaryFolder();
    const devices = devicesIn(folder, ["phone"], () => {
      pairWithBrowser(folder, "00000000", "phone", "https://push.example.net/send/new");
      return answering(410);
    });
    expect(await send(devices)).toMatchObject({ status: "failed" });
    expect(listSubscribers(folder)).toMatchObject([{ endpoint: "https://push.example.net/send/new" }]);
  });

  it.each([
    [429, { "retry-after": "30" }, "rateLimited", 30_000],
    [503, {}, "serverError", undefined],
    [403, {}, "rejected", undefined],
    [413, {}, "rejected", undefined],
  ])("%i", async (status, headers, reason, retryAfterMs) => {
    const outcome = await send(devicesIn(temporaryFolder(), ["phone"], () => answering(status, headers)));
    expect(verdict(outcome)).toEqual([reason, retryAfterMs]);
    expect(outcome.detail).not.toContain("s3cret");
  });

  it("of the one that may still take it decides where no device is reached", async () => {
    const devices = devicesIn(temporaryFolder(), ["a", "b"], (name) => answering(name === "a" ? 410 : 503));
    const outcome = await send(devices);
    expect(outcome).toMatchObject({ status: "failed", reason: "serverError" });
    expect(outcome.detail).toMatch(/a: .*; b: answered 503/);
  });

  it("never shows the endpoint, whatever it repeats", async () => {
    const body = "https://push.example.net/send/s3cretOfDevice0 is unknown";
    const outcome = await send(devicesIn(temporaryFolder(), ["phone"], () => ({ ...answering(400), body })));
    expect(outcome.detail).toContain("[secret]");
    expect(outcome.detail).not.toContain("s3cretOf");
  });
});

describe("the contact of the token", () => {
  it.each([
    [{}, "http://127.0.0.1:8765", undefined],
    [{}, "https://laptop.example.org", "https://laptop.example.org"],
    [{ contact: "mailto:me@example.org" }, "https://laptop.example.org", "mailto:me@example.org"],
  ])("%j on a page at %s is %s", async (settings, origin, sub) => {
    const folder = temporaryFolder();
    const devices = devicesIn(folder, ["phone"], () => answering(403));
    storeSubscription(folder, "00000000", { ...devices.browsers[0]!.subscription, origin });
    const outcome = await send(devices, settings);
    expect(devices.received()[0]?.claims.sub).toBe(sub);
    expect(outcome.detail).toMatch(sub === undefined ? /set "contact"/ : /press the button/);
  });
});

describe("what is stored", () => {
  it("counts only with its device", () => {
    const folder = temporaryFolder();
    pairWithBrowser(folder, "00000001", "phone", "https://push.example.net/1");
    storeSubscription(folder, "00000002", {
      endpoint: "https://a.example",
      keys: { p256dh: "x", auth: "y" },
      origin: "o",
    });
    expect(listSubscribers(folder).map(({ id }) => id)).toEqual(["00000001"]);
    writeFileSync(join(folder, "devices/00000001.push"), "{");
    expect(listSubscribers(folder)).toEqual([]);
    expect(readdirSync(join(folder, "devices"))).toHaveLength(3);
  });

  it("has keys with which a message can be encrypted", () => {
    const { subscription } = pairWithBrowser(temporaryFolder(), "00000001", "phone", "https://push.example.net/1");
    const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString("base64url");
    expect(subscriptionSchema.safeParse(subscription).success).toBe(true);
    for (const keys of [{ p256dh: offCurve }, { p256dh: "AA" }, { auth: "AA" }, { auth: "!" }]) {
      const broken = { ...subscription, keys: { ...subscription.keys, ...keys } };
      expect(subscriptionSchema.safeParse(broken).success, JSON.stringify(keys)).toBe(false);
    }
  });
});

describe("the probe", () => {
  const probe = async (folder: string, settings: object) =>
    await webpush.probe?.(webpush.settings.parse(settings) as never, devicesIn(folder, []).tools);

  it("says who is told, and who is not", async () => {
    const folder = temporaryFolder();
    expect(await probe(folder, {})).toMatchObject({ status: "broken", detail: "no device is subscribed" });
    expect(readdirSync(folder)).toEqual([]);
    pairWithBrowser(folder, "00000001", "phone", "https://push.example.net/1");
    expect(await probe(folder, {})).toEqual({ status: "ok", detail: "sends to phone (push.example.net)" });
    expect(await probe(folder, { devices: ["phone", "desk"] })).toMatchObject({
      status: "warning",
      detail: 'sends to phone (push.example.net); "desk" is not subscribed',
    });
    writeFileSync(join(folder, "devices/vapid.key"), "{}");
    expect(await probe(folder, {})).toMatchObject({ status: "broken", detail: expect.stringContaining("vapid.key") });
  });
});
