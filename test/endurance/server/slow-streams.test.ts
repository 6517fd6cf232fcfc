// A browser that reads slowly, and one more stream than the page has for all devices.
import { get, type IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import type { Now } from "../../../src/wings/page/contract.ts";
import { maxStreams, maxStreamsOfDevice } from "../../../src/wings/page/stream.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { openSessionOf, signatureFor, storeDevice } from "../../support/usage/page-browser.ts";
import { eventsIn, openStream, startPage, type TestDevice } from "../../support/usage/page-server.ts";

it("the stream of the page sends a browser that reads slowly the newest state only", async () => {
  const server = await startPage();
  const device = await server.pair();
  const { port } = new URL(server.url);
  const headers = signatureFor(device, "/page/events");
  const slow = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: "/page/events", headers }, resolve).on("error", reject);
  });
  slow.pause();
  const watching = await openStream(server, device);
  const megabytes = "x".repeat(4_000_000);
  const changes = 8;
  for (let change = 1; change <= changes; change += 1) {
    const at = Date.now();
    const turn = { helpers: 0, tool: { since: 0, words: `${change} ${megabytes}` } };
    const state = { kind: "working", since: at, reason: "It works.", source: "hook", turn } as const;
    writeSession(server.layout, recordOf({ agent: "claude-code", session: "one", lastSeenAt: at, state }));
    const isShown = ({ groups }: Now): boolean => groups[0]?.sessions[0]?.words?.startsWith(`${change} `) === true;
    await watching.until(isShown);
  }
  watching.close();
  let sent = 0;
  for await (const event of eventsIn(slow.setEncoding("utf8"))) {
    if (event.startsWith("data: ")) sent += 1;
    if (event.includes(`"words":"${changes} `)) break;
  }
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(changes);
});

it("the page refuses one more stream than it has for all devices, until one ends", async () => {
  const server = await startPage();
  const [last, ...others] = Array.from({ length: maxStreams / maxStreamsOfDevice + 1 }, () =>
    storeDevice(server.layout),
  );
  if (last === undefined) throw new Error("there is no device");
  for (const device of [last, ...others]) await openSessionOf(server.request, server.url, device);
  const openAll = (device: TestDevice) => Array.from({ length: maxStreamsOfDevice }, () => openStream(server, device));
  const open = await Promise.all(others.flatMap(openAll));
  const refused = await server.request("/page/events", { device: last });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  open[0]?.close();
  await expect
    .poll(async () => {
      const { status, body } = await server.request("/page/events", { device: last });
      await body?.cancel();
      return status;
    })
    .toBe(200);
  for (const { close } of open) close();
});
