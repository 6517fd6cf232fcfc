import { describe, expect, it, onTestFinished } from "vitest";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { writeJournal } from "../../../src/outbox/journal.ts";
import { createAnswering } from "../../../src/wings/page/answer.ts";
import { createNowWatch } from "../../../src/wings/page/now.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { temporaryProject } from "../../support/project/running-project.ts";
import { openStream, startPage } from "../../support/usage/page-server.ts";
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

  it("names a channel whose last message reached no one, until one does", async () => {
    const server = await startPage();
    const attempt = (outcome: "delivered" | "failed"): void => {
      const about = { kind: "attempt" as const, event: "evt_1", channel: "sound", attempt: 1, ms: 3, next: "done" };
      writeJournal(server.layout, Date.now(), { ...about, outcome, detail: "no sound server" });
    };
    const stream = await openStream(server, await server.pair());
    expect((await stream.until(() => true)).brokenChannels).toEqual([]);
    attempt("failed");
    const { brokenChannels } = await stream.until((now) => now.brokenChannels.length > 0);
    expect(brokenChannels).toEqual([{ channel: "sound", at: expect.any(Number) as unknown, why: "no sound server" }]);
    attempt("delivered");
    await stream.until((now) => now.brokenChannels.length === 0);
  });
});

describe("the newest state", () => {
  it("reads the page's own files for all browsers together, and seldom", async () => {
    const { layout, rulesFile } = temporaryProject();
    const clock = createFakeClock();
    let reads = 0;
    const build = (): string => {
      reads += 1;
      return `build ${reads}`;
    };
    const answering = createAnswering(layout, Buffer.alloc(32));
    const now = createNowWatch({ layout, rulesFile, clock, answering, tabs: [], build });
    onTestFinished(now.watch(() => {}));
    const device = { id: "one", name: "phone", rights: [], pairedAt: 0, seenAt: 0 };
    for (let second = 0; second < 14; second += 1) {
      clock.turn(1000);
      for (let browser = 0; browser < 50; browser += 1) expect((await now.current(device)).build).toBe("build 1");
    }
    expect(reads).toBe(1);
    clock.turn(15_000);
    expect((await now.current(device)).build).toBe("build 2");
  });
});
