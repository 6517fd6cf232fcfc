// Which devices may ask to be notified, what is stored of them, and what remains of a revoked one.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { devicesFolder, listDevices, revokeDevice } from "../../../src/answers/browsers/devices.ts";
import { listSubscribers } from "../../../src/channels/phone/webpush/subscriptions.ts";
import type { PushState } from "../../../src/wings/page/contract.ts";
import { startPage, type PageServer, type TestDevice } from "../../support/usage/page-server.ts";
import { testBrowser } from "../../support/receivers/push-service.ts";

const endpoint = "https://push.example.net/send/one";
const { subscription } = testBrowser(endpoint);

async function stateOf({ request }: PageServer, device: TestDevice): Promise<PushState> {
  return (await (await request("/page/push", { device })).json()) as PushState;
}

it("a device that may read subscribes itself alone, with one key", async () => {
  const server = await startPage();
  const [one, other] = [await server.pair(["read"], "one"), await server.pair(["read"], "other")];
  const before = await stateOf(server, one);
  expect(before).toEqual({ publicKey: expect.stringMatching(/^[\w-]{87}$/) as unknown });
  const posted = await server.post("/page/push", { ...subscription, expirationTime: null }, one);
  // Without a channel in the rules, nothing would come.
  expect(await posted.json()).toMatchObject({
    isDone: true,
    text: expect.stringContaining("channels add webpush") as unknown,
  });
  expect(await stateOf(server, one)).toEqual({ ...before, endpoint });
  expect(await stateOf(server, other)).toEqual(before);
  expect(listSubscribers(server.layout.root)).toMatchObject([{ name: "one", ...subscription, origin: server.url }]);
  await server.post("/page/push/off", {}, one);
  expect(await stateOf(server, one)).toEqual(before);
});

it("what is stored of a device that has subscribed can be read by its owner only (posix)", async () => {
  const server = await startPage();
  const device = await server.pair(["read"], "one");
  await server.post("/page/push", { ...subscription, expirationTime: null }, device);
  const folder = devicesFolder(server.layout);
  const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
  expect(new Set(modes)).toEqual(new Set([0o600]));
});

it.each([
  ["an address without TLS", { endpoint: "http://push.example.net/" }],
  ["no address", { endpoint: "https://" }],
  ["a program", { endpoint: "file:///etc/passwd" }],
  ["an address without an end", { endpoint: `https://push.example.net/${"x".repeat(2000)}` }],
  ["no keys", { keys: {} }],
])("%s is refused", async (_, broken) => {
  const server = await startPage();
  const device = await server.pair();
  expect((await server.post("/page/push", { ...subscription, ...broken }, device)).status).toBe(400);
  expect(listSubscribers(server.layout.root)).toEqual([]);
});

it("nothing of a revoked device is left", async () => {
  const server = await startPage();
  await server.post("/page/push", subscription, await server.pair());
  const [device] = listDevices(server.layout);
  expect(revokeDevice(server.layout, device ?? { id: "" })).toBe(true);
  expect(readdirSync(devicesFolder(server.layout)).filter((name) => !name.endsWith(".key"))).toEqual([]);
});

it("a worker and icons are given to anyone, and no other file", async () => {
  const server = await startPage();
  const worker = await server.request("/page/worker.js");
  expect(worker.headers.get("service-worker-allowed")).toBe("/");
  expect((await server.request("/page/icons/app.png")).headers.get("content-type")).toBe("image/png");
  for (const path of ["/page/icons/none.png", "/page/icons/..%2Fpackage.json"]) {
    expect((await server.request(path)).status, path).toBe(404);
  }
});

it("a stranger subscribes nothing", async () => {
  const server = await startPage();
  for (const path of ["/page/push", "/page/push/off"]) {
    expect((await server.post(path, subscription)).status, path).toBe(401);
  }
  expect(readdirSync(devicesFolder(server.layout))).toEqual(["server.key"]);
});
