import { get, type IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import type { Now } from "../../../src/commands/page/contract.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { signatureFor } from "../../support/usage/page-browser.ts";
import { eventsIn, openStream, startPage } from "../../support/usage/page-server.ts";
import { recordOf } from "../../support/project/session-record.ts";

const session = (name: string, facts: object = {}) =>
  recordOf({ agent: "claude-code", session: name, project: "shop", lastSeenAt: Date.now(), ...facts });
const working = (since: number) =>
  ({
    kind: "working",
    since,
    reason: "It works.",
    source: "hook",
    turn: { helpers: 0, tool: { since, words: "run `make`?" } },
  }) as const;

describe("the stream of the page", () => {
  it("begins with what there is, and sends each change", async () => {
    const server = await startPage();
    writeSession(server.layout, session("one", { state: working(Date.now()) }));
    const stream = await openStream(server, await server.pair());
    const first = await stream.until(({ groups }) => groups.length === 1);
    expect(first.groups[0]).toMatchObject({ group: "working", sessions: [{ place: "shop", agent: "Claude Code" }] });
    const asks = { id: "evt_1", at: Date.now(), name: "PermissionRequest", words: "run `ls`?", position: "p1" };
    writeSession(server.layout, session("two", { open: [asks] }));
    const second = await stream.until(({ groups }) => groups.length === 2);
    expect(first.groups[0]).toMatchObject({
      sessions: [{ words: "run `make`?", toolSince: expect.any(Number) as unknown }],
    });
    expect(second.groups[0]).toMatchObject({ group: "needsYou", sessions: [{ questions: [{ words: "run `ls`?" }] }] });
  });

  it("sends a browser that reads slowly the newest state only", async () => {
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
    const changes = 5;
    for (let change = 1; change <= changes; change += 1) {
      const state = {
        ...working(Date.now()),
        turn: { helpers: 0, tool: { since: 0, words: `${change} ${megabytes}` } },
      };
      writeSession(server.layout, session("one", { state }));
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
});
