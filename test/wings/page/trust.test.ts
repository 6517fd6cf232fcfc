// What the page's server takes as a request of a device: each one once, as it was signed, for this server and this process.
import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { listDevices } from "../../../src/answers/browsers/devices.ts";
import { pageKeyPath } from "../../../src/answers/browsers/page-key.ts";
import { createPage } from "../../../src/wings/page/page.ts";
import { sessionHeader } from "../../../src/wings/page/trust/contract.ts";
import { maxSessionsOfDevice } from "../../../src/wings/page/trust/sessions.ts";
import { newP256Keys } from "../../../src/system/crypto.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import {
  greet,
  loadDocument,
  loadTicket,
  opened,
  openSessionOf,
  postJson,
  sessionBody,
  signatureFor,
  ticketIn,
} from "../../support/usage/page-browser.ts";
import { startPage, type PageServer, type TestDevice } from "../../support/usage/page-server.ts";

async function statusWith(
  { request }: PageServer,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<number> {
  const init =
    body === undefined
      ? { headers }
      : { method: "POST", body, headers: { ...headers, "content-type": "application/json" } };
  const response = await request(path, init);
  await response.body?.cancel();
  return response.status;
}

describe("a request of a device", () => {
  it("counts once, and only as it was signed", async () => {
    const server = await startPage();
    const device = await server.pair(["read", "administer"]);
    const sent = signatureFor(device, "/page/deliveries");
    expect(await statusWith(server, "/page/deliveries", sent)).toBe(200);
    const tries: number[] = [];
    for (let again = 0; again < 3; again += 1) tries.push(await statusWith(server, "/page/deliveries", sent));
    // Another path, query, method and body.
    tries.push(await statusWith(server, "/page/journal", signatureFor(device, "/page/deliveries")));
    tries.push(await statusWith(server, "/page/journal?words=x", signatureFor(device, "/page/journal?words=y")));
    tries.push(await statusWith(server, "/page/retry", signatureFor(device, "/page/retry"), "{}"));
    const posted = { method: "POST", body: JSON.stringify({ ids: [] }) };
    const other = JSON.stringify({ ids: ["msg_1"] });
    tries.push(await statusWith(server, "/page/discard", signatureFor(device, "/page/discard", posted), other));
    const [, value = ""] = Object.entries(signatureFor(device, "/page/deliveries"))[0] ?? [];
    const [id = "", number = "", digest = "", mac = ""] = value.split(".");
    for (const changed of [
      [id, String(Number(number) + 1), digest, mac],
      ["0".repeat(64), number, digest, mac],
      [id, number, "0".repeat(64), mac],
      [id, number, digest, `${mac.startsWith("A") ? "B" : "A"}${mac.slice(1)}`],
      [id, number, digest],
      [id, `-${number}`, digest, mac],
      [`../${id}`, number, digest, mac],
      [],
    ]) {
      tries.push(await statusWith(server, "/page/deliveries", { [sessionHeader]: changed.join(".") }));
    }
    expect(tries).toEqual(tries.map(() => 401));
    expect(tries).toHaveLength(15);
    expect(await statusWith(server, "/page/deliveries", { [sessionHeader]: value })).toBe(200);
  });

  it("may overtake others of its tab, but none that is far ahead", async () => {
    const server = await startPage();
    const device = await server.pair();
    const all = Array.from({ length: 300 }, () => signatureFor(device, "/page/push"));
    const [first = {}, second = {}] = all;
    expect(await statusWith(server, "/page/push", all[200] ?? {})).toBe(200);
    expect(await statusWith(server, "/page/push", first)).toBe(200);
    expect(await statusWith(server, "/page/push", all[299] ?? {})).toBe(200);
    expect(await statusWith(server, "/page/push", second)).toBe(401);
  });

  it("of another process of the server counts for nothing, and the answer shows which process gave it", async () => {
    const [one, other] = [await startPage(), await startPage()];
    const device = await one.pair();
    const foreign = await other.pair();
    expect(await statusWith(one, "/page/push", signatureFor(foreign, "/page/push"))).toBe(401);
    const answered = await one.request("/page/push", { device });
    expect(answered.headers.get("x-hookbell-proof")).toMatch(/^[\w+/]{43}=$/);
    expect((await one.request("/page/push")).headers.get("x-hookbell-proof")).toBeNull();
  });
});

describe("a session", () => {
  it("is opened once by an exchange, by this device's key, with a ticket of this server", async () => {
    const server = await startPage();
    const device = await server.pair();
    const ticket = await loadTicket(server.request);
    const greeted = await greet(server.request, server.url);
    const body = sessionBody(greeted, device, ticket);
    const open = async (asked: object): Promise<number> =>
      (await postJson(server.request, "/page/session", asked)).status;
    expect(await open({ ...body, nonce: "other" })).toBe(401);
    expect(await open({ ...body, device: "00000000" })).toBe(401);
    expect(await open({ ...body, noticed: ["otherServer"] })).toBe(401);
    expect(await open(sessionBody(greeted, { ...device, keys: newP256Keys() }, ticket))).toBe(401);
    expect(
      await open(
        sessionBody({ ...greeted, exchange: { ...greeted.exchange, origin: "http://127.0.0.1:1" } }, device, ticket),
      ),
    ).toBe(401);
    expect(listDevices(server.layout).map(({ pairAgain }) => pairAgain)).toEqual([undefined]);
    expect(await open(body)).toBe(200);
    expect(await open(body)).toBe(400);
    const elsewhere = await startPage();
    expect(await open(sessionBody(greeted, device, await loadTicket(elsewhere.request)))).toBe(409);
    expect(listDevices(server.layout)).toMatchObject([{ pairAgain: "noTicket" }]);
  });

  it("ends when its device opens many more, and its tab opens another", async () => {
    const server = await startPage();
    const device = await server.pair();
    const first: TestDevice = { ...device };
    for (let count = 0; count < maxSessionsOfDevice; count += 1)
      await openSessionOf(server.request, server.url, device);
    expect((await server.request("/page/push", { device: first })).status).toBe(401);
    expect((await server.request("/page/push", { device })).status).toBe(200);
  });

  it("of a device that noticed a foreign program may read, and no more", async () => {
    const server = await startPage();
    const device = await server.pair(["read", "answer", "administer"]);
    expect((await server.post("/page/discard", { ids: [] }, device)).status).toBe(200);
    await openSessionOf(server.request, server.url, device, { noticed: ["foreignWorker"] });
    expect((await server.request("/page/push", { device })).status).toBe(200);
    for (const path of ["/page/discard", "/page/answers"]) {
      const refused = await server.post(path, { ids: [], question: "1", nonce: "x" }, device);
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("must be paired again")]);
    }
  });
});

describe("a ticket", () => {
  it.each([
    ["a script", { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" }],
    ["a worker that passes a person's request on", { "sec-fetch-dest": "empty", "sec-fetch-mode": "navigate" }],
    ["a worker that reads ahead", { ...opened, "service-worker-navigation-preload": "true" }],
    ["a browser that does not say how it came here", {}],
  ])("is not for %s", async (_who, headers) => {
    const server = await startPage();
    expect(ticketIn(await loadDocument(server.url, headers))).toBeUndefined();
    expect(ticketIn(await loadDocument(server.url, opened))).toBeDefined();
  });

  it.runIf(process.getuid?.() === 0 && process.platform === "linux")("is not for another user's program", async () => {
    const server = await startPage();
    const script = `require("http").get(${JSON.stringify(server.url)}, { headers: ${JSON.stringify(opened)} }, async (answer) => { for await (const part of answer) process.stdout.write(part); })`;
    const load = (uid: number): Promise<string> =>
      new Promise((resolve, reject) => {
        execFile(process.execPath, ["-e", script], { uid, gid: uid, cwd: "/" }, (error, stdout) =>
          error === null ? resolve(stdout) : reject(error),
        );
      });
    const otherUser = 65_534;
    expect(await load(otherUser)).toMatch(/^<!doctype html>/);
    expect(ticketIn(await load(otherUser))).toBeUndefined();
    expect(ticketIn(await load(0))).toBeDefined();
  });
});

it("a damaged key of the server is an error that says what to do, and is not replaced in silence", () => {
  const folder = temporaryFolder();
  const io = commandIo(folder, { env: { HOME: folder, HOOKBELL_STATE_DIR: `${folder}/state` } });
  createPage(io, undefined);
  const path = pageKeyPath({ root: io.places.stateDir });
  writeFileSync(path, "{");
  expect(() => createPage(io, undefined)).toThrow(/server\.key is damaged/);
  rmSync(dirname(path), { recursive: true });
  writeFileSync(dirname(path), "");
  expect(() => createPage(io, undefined)).toThrow(/cannot use .*server\.key/);
});
