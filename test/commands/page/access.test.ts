// Who gets what from the page: nothing without a token of a device, of its own origin, with the right.
import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { inviteDevice, listDevices, pairDevice, revokeDevice } from "../../../src/answers/devices.ts";
import { pairingLimit } from "../../../src/commands/page/access.ts";
import { maxStreams, maxStreamsOfDevice } from "../../../src/commands/page/stream.ts";
import { keyHeader } from "../../../src/commands/page/contract.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { openStream, startPage, type PageServer } from "../../support/usage/page-server.ts";

const paths = [
  "/page/events",
  "/page/journal",
  "/page/journal/2026-11-23.jsonl/evt_1",
  "/page/explain/2026-11-23.jsonl/evt_1",
  "/page/rules",
  "/page/deliveries",
  "/page/usage?of=tokens",
  "/page/usage.csv?of=tokens",
  "/page/push",
  "/page/readiness",
] as const;
const changes = ["/page/answers", "/page/retry", "/page/discard", "/page/install", "/page/replay"] as const;
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

  it("needs both halves of a token, of the same device, which was not revoked", async () => {
    const server = await startPage();
    const [one, other] = [await server.pair(), await server.pair()];
    const at = (device: { cookie: string; key: string }): Promise<number> =>
      statusOf(server.request("/page/events", { device }));
    expect(await at(one)).toBe(200);
    expect(await at({ ...one, key: "" })).toBe(401);
    expect(await at({ ...one, cookie: "" })).toBe(401);
    expect(await at({ cookie: one.cookie, key: other.key })).toBe(401);
    expect(await at({ ...one, cookie: `${one.cookie}x` })).toBe(401);
    expect(await at({ ...one, cookie: "../../page.x" })).toBe(401);
    const [first] = listDevices(server.layout);
    revokeDevice(server.layout, first ?? { id: "" });
    expect(await at(one)).toBe(401);
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
    for (const path of ["/page/retry", "/page/discard", "/page/install", "/page/replay"]) {
      expect(await statusOf(server.post(path, { ids: ["msg_1"] }, answering)), path).toBe(403);
    }
    for (const device of [reader, answering])
      expect(await statusOf(server.request("/page/rules", { device }))).toBe(403);
    const administering = await server.pair(["read", "administer"]);
    expect(await statusOf(server.post("/page/answers", anAnswer, administering))).toBe(403);
    const discarded = await server.post("/page/discard", { ids: ["msg_1"] }, administering);
    expect(await discarded.json()).toEqual({ isDone: false, text: "0 deliveries deleted." });
    expect(await (await server.post("/page/answers", anAnswer, answering)).json()).toMatchObject({ isDone: false });
  });

  it.each([
    ["another site", { origin: "https://evil.example" }],
    ["another port of this host, to which browsers send the cookie as well", { origin: "http://127.0.0.1:1" }],
    ["no origin at all", { origin: "null" }],
  ])("takes no request from %s", async (_who, headers) => {
    const server = await startPage();
    const device = await server.pair(["read", "answer"]);
    const json = { "content-type": "application/json" };
    const body = JSON.stringify(anAnswer);
    expect(await statusOf(server.request("/page/events", { device, headers }))).toBe(403);
    for (const path of [...changes, "/page/pair"]) {
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
    const own = { cookie: `hookbell=${device.cookie}`, [keyHeader]: device.key, "content-type": "application/json" };
    expect(await statusWithHost(server, "/page/answers", own, "POST")).toBe(403);
  });

  it("answers to its own names only, so that no site can have its name lead here", async () => {
    const server = await startPage();
    const device = await server.pair();
    const own = { cookie: `hookbell=${device.cookie}`, [keyHeader]: device.key };
    const { port } = new URL(server.url);
    for (const host of [`evil.example:${port}`, "evil.example", `127.0.0.1.evil.example:${port}`]) {
      expect(await statusWithHost(server, "/page/events", { ...own, host }), host).toBe(421);
      expect(await statusWithHost(server, "/", { host }), host).toBe(421);
    }
  });

  it("answers to the address that --url gives, and sends its cookie only over TLS there", async () => {
    const origin = "https://hb.example.org";
    const server = await startPage({ origin, isBehindProxy: true });
    expect(await statusWithHost(server, "/", { host: "hb.example.org" })).toBe(200);
    expect(await statusWithHost(server, "/", { host: "127.0.0.1" })).toBe(421);
    const code = inviteDevice(server.layout, { rights: ["read"] }, Date.now());
    const cookie = await new Promise<string>((resolve, reject) => {
      const headers = { host: "hb.example.org", origin, "content-type": "application/json" };
      const { port } = new URL(server.url);
      const sent = httpRequest({ host: "127.0.0.1", port, path: "/page/pair", method: "POST", headers }, (response) => {
        response.resume();
        resolve(String(response.headers["set-cookie"]));
      });
      sent.on("error", reject);
      sent.end(JSON.stringify({ code }));
    });
    expect(cookie).toMatch(
      /^hookbell=[0-9a-f]{8}\.[\w-]{44}; Max-Age=\d+; Path=\/page; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it("pairs one browser with a code, within ten minutes, and says what was wrong", async () => {
    const clock = createFakeClock();
    const server = await startPage({ clock });
    const code = inviteDevice(server.layout, { rights: ["read"] }, clock.now());
    const tries = await Promise.all([1, 2, 3].map(() => server.post("/page/pair", { code })));
    expect(tries.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    expect(listDevices(server.layout)).toMatchObject([{ name: "a browser", rights: ["read"] }]);
    const late = inviteDevice(server.layout, { rights: ["read"] }, clock.now());
    clock.turn(10 * 60_000);
    expect(await statusOf(server.post("/page/pair", { code: late }))).toBe(403);
    expect(listDevices(server.layout)).toHaveLength(1);
  });

  it("stores no token and no code, and leaves the cookie to the browser", async () => {
    const server = await startPage();
    const code = inviteDevice(server.layout, { rights: ["read"] }, Date.now());
    const { readdirSync, readFileSync } = await import("node:fs");
    const stored = (): string => {
      const folder = `${server.layout.root}/devices`;
      return readdirSync(folder)
        .map((name) => `${name} ${readFileSync(`${folder}/${name}`, "utf8")}`)
        .join("\n");
    };
    expect(stored()).not.toContain(code);
    const { cookie, key } = await server.pair();
    expect(stored()).not.toContain(key);
    expect(stored()).not.toContain(cookie.split(".")[1]);
  });

  it("lets no one try many codes, or many tokens", async () => {
    const clock = createFakeClock();
    const server = await startPage({ clock });
    const wrong = (): Promise<number> => statusOf(server.post("/page/pair", { code: "x" }));
    for (let tried = 0; tried < pairingLimit.burst; tried += 1) expect(await wrong()).toBe(403);
    expect(await wrong()).toBe(429);
    clock.turn(30_000);
    expect(await wrong()).toBe(403);
    const device = await server.pair().catch(() => undefined);
    expect(device?.key).toBeUndefined();
    const strange = await Promise.all(
      Array.from({ length: 40 }, () =>
        statusOf(server.request("/page/events", { device: { cookie: "00000000.x", key: "x" } })),
      ),
    );
    expect(new Set(strange)).toEqual(new Set([401, 429]));
  });

  it("refuses one more stream than it has for all devices, until one ends", async () => {
    const server = await startPage();
    const now = Date.now();
    const devices = Array.from({ length: maxStreams / maxStreamsOfDevice + 1 }, () => {
      const code = inviteDevice(server.layout, { rights: ["read"] }, now);
      return pairDevice(server.layout, code, "a browser", now) ?? { cookie: "", key: "" };
    });
    const [last = { cookie: "", key: "" }, ...others] = devices;
    const open = [];
    for (const device of others) {
      for (let count = 0; count < maxStreamsOfDevice; count += 1) open.push(await openStream(server, device));
    }
    const refused = await server.request("/page/events", { device: last });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    open[0]?.close();
    await expect.poll(() => statusOf(server.request("/page/events", { device: last }))).toBe(200);
    for (const { close } of open) close();
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
