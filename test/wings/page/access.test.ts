// Who gets what from the page: nothing without a session of a device, of its own origin, with the right.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { devicesFolder, inviteDevice, listDevices, revokeDevice } from "../../../src/answers/browsers/devices.ts";
import { wings } from "../../../src/wings/index.ts";
import { maxStreamsOfDevice } from "../../../src/wings/page/stream.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { maxConnections } from "../../../src/system/network/listen.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { strangerLimit } from "../../../src/http-server/guard.ts";
import { openSessionOf, pairWith, signatureFor, storeDevice } from "../../support/usage/page-browser.ts";
import { openStream, startPage, type PageServer, type TestDevice } from "../../support/usage/page-server.ts";

/** What the tabs of other wings add, which scripts/checks/wings.mjs takes away one by one. Who reads `rules` needs the right to administer. */
const ofWings = {
  platform: {
    paths: ["/page/usage?of=tokens", "/page/usage.csv?of=tokens", "/page/readiness"],
    rules: [],
    changes: ["/page/install"],
  },
  replay: { paths: [], rules: ["/page/rules"], changes: ["/page/replay"] },
} as const;
const tabs = Object.entries(ofWings).flatMap(([wing, tab]) => (wings.some(({ name }) => name === wing) ? [tab] : []));
const rules = tabs.flatMap((tab): readonly string[] => tab.rules);
const paths = [
  "/page/events",
  "/page/journal",
  "/page/journal/2026-11-23.jsonl/evt_1",
  "/page/explain/2026-11-23.jsonl/evt_1",
  "/page/deliveries",
  "/page/push",
  ...rules,
  ...tabs.flatMap((tab): readonly string[] => tab.paths),
];
/** They need the right to administer. */
const administration = ["/page/retry", "/page/discard", ...tabs.flatMap((tab): readonly string[] => tab.changes)];
const changes = ["/page/answers", ...administration];
const anAnswer = { question: "1", nonce: "x" };

async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}

/** `fetch` sets no Host of its own. */
function statusWithHost(
  server: PageServer,
  path: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(server.url);
    const sent = httpRequest({ host: "127.0.0.1", port, path, headers, method }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject);
    sent.end();
  });
}

describe("the page", () => {
  it("gives a stranger its empty shell, and nothing else", async () => {
    const server = await startPage();
    const shell = await server.request("/");
    expect(await shell.text()).toMatch(/^<!doctype html>/);
    expect(shell.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(shell.headers.get("content-security-policy")).not.toMatch(/unsafe|http/);
    expect(Object.fromEntries(shell.headers)).toMatchObject({
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    for (const path of paths) expect(await statusOf(server.request(path)), path).toBe(401);
    for (const path of changes) expect(await statusOf(server.post(path, anAnswer)), path).toBe(401);
  });

  it("needs the session of a device that was not revoked", async () => {
    const server = await startPage();
    const [one, other] = [await server.pair(), await server.pair()];
    const at = (device: TestDevice): Promise<number> => statusOf(server.request("/page/events", { device }));
    expect(await at(one)).toBe(200);
    expect(await at({ ...one, session: undefined })).toBe(401);
    const revoked = listDevices(server.layout).find(({ id }) => id === one.id);
    revokeDevice(server.layout, revoked ?? { id: "" });
    expect(await at(one)).toBe(401);
    expect((await openSessionOf(server.request, server.url, one)).status).toBe(401);
    expect(await at(other)).toBe(200);
  });

  it("ends the stream of a device when it is revoked", async () => {
    const server = await startPage();
    const stream = await openStream(server, await server.pair());
    await stream.until(() => true);
    for (const device of listDevices(server.layout)) revokeDevice(server.layout, device);
    await stream.ended;
    expect(listDevices(server.layout)).toEqual([]);
  });

  it("lets a device do only what it has the right to", async () => {
    const server = await startPage();
    const reader = await server.pair(["read"]);
    for (const path of changes) expect(await statusOf(server.post(path, anAnswer, reader)), path).toBe(403);
    const answering = await server.pair(["read", "answer"]);
    for (const path of administration) {
      expect(await statusOf(server.post(path, { ids: ["msg_1"] }, answering)), path).toBe(403);
    }
    for (const device of [reader, answering])
      for (const path of rules) expect(await statusOf(server.request(path, { device })), path).toBe(403);
    const administering = await server.pair(["read", "administer"]);
    expect(await statusOf(server.post("/page/answers", anAnswer, administering))).toBe(403);
    const discarded = await server.post("/page/discard", { ids: ["msg_1"] }, administering);
    expect(await discarded.json()).toEqual({ isDone: false, text: "0 deliveries deleted." });
    expect(await (await server.post("/page/answers", anAnswer, answering)).json()).toMatchObject({ isDone: false });
  });

  it.each([
    ["another site", { origin: "https://evil.example" }],
    ["another port of this host", { origin: "http://127.0.0.1:1" }],
    ["no origin at all", { origin: "null" }],
  ])("takes no request from %s", async (_who, headers) => {
    const server = await startPage();
    const device = await server.pair(["read", "answer"]);
    const json = { "content-type": "application/json" };
    const body = JSON.stringify(anAnswer);
    expect(await statusOf(server.request("/page/events", { device, headers }))).toBe(403);
    for (const path of [...changes, "/page/hello", "/page/session", "/page/pair", "/page/renew"]) {
      const sent = server.request(path, { method: "POST", body, device, headers: { ...headers, ...json } });
      expect(await statusOf(sent), path).toBe(403);
    }
  });

  it("takes no form, no request of an embedding page, and no POST without an origin", async () => {
    const server = await startPage();
    const device = await server.pair(["read", "answer"]);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const posted = { method: "POST", body: JSON.stringify(anAnswer), device };
    expect(await statusOf(server.request("/page/answers", { ...posted, headers: form }))).toBe(400);
    const embedding = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe" };
    expect(await statusWithHost(server, "/", embedding)).toBe(403);
    expect(await statusWithHost(server, "/page/page.js", { ...embedding, "sec-fetch-dest": "script" })).toBe(403);
    expect(await statusWithHost(server, "/", { ...embedding, "sec-fetch-dest": "document" })).toBe(200);
    const own = { ...signatureFor(device, "/page/answers", { method: "POST" }), "content-type": "application/json" };
    expect(await statusWithHost(server, "/page/answers", own, "POST")).toBe(403);
  });

  it("answers to its own names only, so that no site can have its name lead here", async () => {
    const server = await startPage();
    const device = await server.pair();
    const own = signatureFor(device, "/page/events");
    const { port } = new URL(server.url);
    for (const host of [`evil.example:${port}`, "evil.example", `127.0.0.1.evil.example:${port}`]) {
      expect(await statusWithHost(server, "/page/events", { ...own, host }), host).toBe(421);
      expect(await statusWithHost(server, "/", { host }), host).toBe(421);
    }
  });

  it("answers to the address that --url gives, and proves itself for no other", async () => {
    const origin = "https://hb.example.org";
    const server = await startPage({ origin, isBehindProxy: true });
    expect(await statusWithHost(server, "/", { host: "hb.example.org" })).toBe(200);
    expect(await statusWithHost(server, "/", { host: "127.0.0.1" })).toBe(421);
  });

  it("has one address where none was given, and leads there who types another name of this computer", async () => {
    const server = await startPage();
    const { port } = new URL(server.url);
    const headers = { host: `localhost:${port}` };
    expect(await statusWithHost(server, "/", headers)).toBe(302);
    expect(await statusWithHost(server, "/page/hello", headers)).toBe(421);
    // Another program has the port by which this name leads here.
    expect(await statusWithHost(server, "/page/hello", { host: `127.0.0.1:${Number(port) + 1}` })).toBe(421);
  });

  it("pairs one browser with a code, within ten minutes, and says what was wrong", async () => {
    const clock = createFakeClock();
    const server = await startPage({ clock });
    const pair = async (code: string): Promise<number> => {
      const paired = await pairWith(server.request, server.url, code);
      return "status" in paired ? paired.status : 200;
    };
    const code = inviteDevice(server.layout, { rights: ["read"] }, clock.now());
    const tries = await Promise.all([1, 2, 3].map(() => pair(code)));
    expect(tries.toSorted((a, b) => a - b)).toEqual([200, 403, 403]);
    expect(listDevices(server.layout)).toMatchObject([{ name: "a browser", rights: ["read"] }]);
    const late = inviteDevice(server.layout, { rights: ["read"] }, clock.now());
    clock.turn(10 * 60_000);
    expect(await pair(late)).toBe(403);
    expect(listDevices(server.layout)).toHaveLength(1);
  });

  it("stores no code, and nothing of a browser that its key could be made from", async () => {
    const server = await startPage();
    const code = inviteDevice(server.layout, { rights: ["read"] }, Date.now());
    const { keys } = await server.pair();
    const folder = devicesFolder(server.layout);
    const stored = readdirSync(folder).map((name) => `${name} ${readFileSync(join(folder, name), "utf8")}`);
    expect(stored.join("\n")).not.toContain(code);
    expect(stored.join("\n")).toContain(Buffer.from(keys.publicKey).toString("base64url"));
    expect(stored.join("\n")).not.toContain(Buffer.from(keys.privateKey).toString("base64url"));
  });

  it("lets no other user read what it stores of a browser (posix)", async () => {
    const server = await startPage();
    await server.pair();
    const folder = devicesFolder(server.layout);
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });

  it("lets no failures of another program keep the right code, key or session out", async () => {
    const clock = createFakeClock();
    const server = await startPage({ clock });
    const device = await server.pair();
    const code = inviteDevice(server.layout, { rights: ["read"] }, clock.now());
    const failures = [];
    // Each round fails three times.
    for (let tried = 0; tried < strangerLimit.burst / 2; tried += 1) {
      const paired = await pairWith(server.request, server.url, `wrong${tried}`);
      if ("status" in paired) failures.push(paired.status);
      failures.push(await statusOf(server.request("/page/events")));
      const { keys } = storeDevice(server.layout);
      failures.push((await openSessionOf(server.request, server.url, { id: device.id, keys })).status);
    }
    expect(new Set(failures)).toEqual(new Set([401, 403, 429]));
    expect(failures.filter((status) => status !== 429)).toHaveLength(strangerLimit.burst);
    expect(await pairWith(server.request, server.url, code)).toMatchObject({ id: expect.any(String) as unknown });
    expect((await openSessionOf(server.request, server.url, device)).status).toBe(200);
    expect(await statusOf(server.request("/page/deliveries", { device }))).toBe(200);
  });

  it("keeps the stream of a device while strangers take all connections", async () => {
    const server = await startPage();
    const device = await server.pair();
    const stream = await openStream(server, device);
    const [{ at }, { hostname, port }] = [await stream.until(() => true), new URL(server.url)];
    let isOver = false;
    void stream.ended.then(() => (isOver = true));
    const strangers = Array.from({ length: maxConnections + 20 }, () => connect(Number(port), hostname));
    onTestFinished(() => strangers.forEach((each) => each.destroy()));
    let closed = 0;
    for (const each of strangers) {
      each.on("error", () => {});
      each.resume();
      each.once("close", () => (closed += 1));
    }
    await expect.poll(() => closed).toBeGreaterThan(20);
    writeSession(server.layout, recordOf({ agent: "claude-code", session: "one", lastSeenAt: at }));
    await stream.until(({ groups }) => groups.length > 0);
    expect(isOver).toBe(false);
    stream.close();
  });

  it("has a few streams for each device; the oldest ends when there is one more", async () => {
    const server = await startPage();
    const device = await server.pair();
    const first = await openStream(server, device);
    await first.until(() => true);
    const others = [];
    for (let count = 0; count < maxStreamsOfDevice; count += 1) others.push(await openStream(server, device));
    await first.ended;
    expect(await others.at(-1)?.until(() => true)).toBeDefined();
    for (const { close } of others) close();
  });
});
