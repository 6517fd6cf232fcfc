// `hookbell sessions`: the table, and the lines for programs.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { CommandIo } from "../../../src/console/command-io.ts";
import { sessions } from "../../../src/commands/queue/sessions.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import { ensureLayout, layoutOf, type Layout } from "../../../src/outbox/layout.ts";
import { readSession, writeSession, type SessionRecord } from "../../../src/outbox/sessions.ts";
import { sessionAfter } from "../../../src/sessions/reduce.ts";
import { eventOf, hour, minute, noon, second } from "../../policies/messages.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { othersTurn } from "../../../src/system/clock.ts";

let home: string;
let layout: Layout;
let out: string[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hookbell-sessions-"));
  layout = layoutOf(commandIo(home).places.stateDir);
  ensureLayout(layout);
  out = [];
});

const ioOf = (more: Partial<CommandIo> = {}): CommandIo =>
  commandIo(home, { clock: createFakeClock(noon), stdout: (text) => out.push(text), ...more });

async function run(args: string[], more: Partial<CommandIo> = {}): Promise<string> {
  expect(await sessions(args, ioOf(more))).toBe(0);
  return out.splice(0).join("");
}

/** Each event is so long before noon. */
function heard(session: string, events: [name: string, agoMs: number, more?: Partial<AgentEvent>][], more = {}): void {
  const agent = "codex";
  const before = { ...readSession(layout, agent, session), branch: "main" };
  const after = events.reduce<SessionRecord>(
    (record, [name, agoMs, facts]) => sessionAfter(record, eventOf(name, { agent, session, ...facts }, noon - agoMs)),
    before,
  );
  writeSession(layout, { ...after, ...more });
}

function severalSessions(): void {
  heard("works", [
    ["UserPromptSubmit", 2 * minute],
    ["PreToolUse", minute, { request: "run `npm run build -- --with-many-words --and-many-more`?" }],
  ]);
  heard("asks", [["PermissionRequest", 41 * second, { request: "run `npm publish`?" }]], { branch: "cart" });
  heard("done", [["Stop", 4 * minute]]);
  heard("over", [["SessionEnd", minute]]);
  heard("silent", [["UserPromptSubmit", 3 * hour]]);
  heard("lost", [["UserPromptSubmit", 30 * hour]]);
  heard("helper", [["UserPromptSubmit", minute, { helperOf: "works" }]]);
  const terminal = { device: "/dev/pts/9999", pid: process.pid, start: "1" };
  heard("killed", [["UserPromptSubmit", minute]], { terminal });
  writeSession(layout, recordOf({ agent: "hookbell", session: "waiting", lastSeenAt: noon }));
}

describe("sessions", () => {
  it("shows first what needs the person, and leaves out what has ended", async () => {
    severalSessions();
    const lines = (await run([])).trimEnd().split("\n");
    expect(lines.map((line) => line.replaceAll(/ {2,}/g, "  "))).toEqual([
      "State  Since  Agent  Project  Session  Id  What",
      "needs you  41s  Codex  shop-web  cart  asks  run `npm publish`?",
      expect.stringMatching(/^working {2}2m {2}Codex {2}shop-web {2}main, works {2}works {2}run `npm run build/),
      "done  4m  Codex  shop-web  main, done  done  Its turn ended.",
      "unknown  3h  Codex  shop-web  main, silent  silent  It has been silent for two hours.",
    ]);
    expect((await run(["--all"])).trimEnd().split("\n")).toHaveLength(9);
  });

  it("fits 60 columns", async () => {
    severalSessions();
    const shown = await run([], { isTerminal: true, columns: 60 });
    expect(shown.split("\n").filter((line) => line.length > 60)).toEqual([]);
    expect(shown).toMatch(/^needs you .*run `npm pub/m);
  });

  it("says where those are that have ended", async () => {
    heard("over", [["SessionEnd", minute]]);
    expect(await run([])).toBe("no session is open; hookbell sessions --all shows those that have ended\n");
  });

  it("--json has the documented fields", async () => {
    severalSessions();
    const { version, sessions: all } = JSON.parse(await run(["--json", "--all"])) as {
      version: number;
      sessions: Record<string, unknown>[];
    };
    expect(version).toBe(2);
    const of = (session: string) => all.find((each) => each.session === session);
    expect(of("works")).toEqual({
      agent: "codex",
      session: "works",
      state: "working",
      since: new Date(noon - 2 * minute).toISOString(),
      reason: "A tool call began.",
      source: "hook",
      lastSeen: new Date(noon - minute).toISOString(),
      group: "working",
      place: "shop-web (main, works)",
      project: "shop-web",
      branch: "main",
      turnStarted: new Date(noon - 2 * minute).toISOString(),
      words: expect.stringMatching(/^run `npm run build/),
      toolStarted: new Date(noon - minute).toISOString(),
    });
    expect(of("asks")).toMatchObject({ state: "needsYou", words: "run `npm publish`?" });
    expect(of("asks")?.questions).toEqual([
      { askedAt: new Date(noon - 41 * second).toISOString(), words: "run `npm publish`?" },
    ]);
    expect(of("done")).toMatchObject({ state: "done", isSeen: false });
    expect(of("killed")).toMatchObject({ state: "ended", source: "process" });
    expect(of("helper")).toMatchObject({ subagentOf: "works" });
    expect(of("waiting")).toBeUndefined();
  });

  it("--follow prints each session, then each change once", async () => {
    severalSessions();
    const stopping = new AbortController();
    const clock = createFakeClock(noon);
    const running = sessions(["--follow"], ioOf({ clock, untilStopped: () => stopping.signal }));
    const states = (): unknown[] =>
      out.map((line) => JSON.parse(line) as Record<string, string>).map(({ session, state }) => `${session} ${state}`);
    expect(states()).toEqual(["asks needsYou", "works working", "done done", "silent unknown"]);
    heard("asks", [["PostToolUse", 0]]);
    clock.turn(5000);
    await othersTurn();
    expect(states().slice(4)).toEqual(["asks working"]);
    clock.turn(5000);
    await othersTurn();
    expect(states()).toHaveLength(5);
    heard("done", [["SessionEnd", 0]]);
    clock.turn(5000);
    await othersTurn();
    expect(states().slice(5)).toEqual(["done ended"]);
    stopping.abort();
    await running;
  });
});
