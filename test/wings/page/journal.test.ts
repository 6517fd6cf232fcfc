// The tab "Why": the journal in parts, what was told and what was not, and the reasons of one event.
import { describe, expect, it } from "vitest";
import { sessionKey } from "../../../src/channels/session-message.ts";
import type { JournalDetail } from "../../../src/wings/page/contract.ts";
import { writeJournal } from "../../../src/outbox/journal.ts";
import { partOf } from "../../support/usage/page-journal.ts";
import { startPage, type PageServer } from "../../support/usage/page-server.ts";

const at = Date.UTC(2026, 10, 23, 12);

const event = (id: string, project: string) => ({
  id,
  name: "Stop",
  agent: "claude-code",
  project,
  message: "All done.",
});

/** One event that was told, one that was not, and an answer. */
function writeDay({ layout }: PageServer): void {
  const rules = [{ name: "done", held: true, why: "event is Stop" }];
  writeJournal(layout, at, { kind: "event", event: event("evt_told", "shop-web") });
  writeJournal(layout, at + 1, {
    kind: "decision",
    event: "evt_told",
    rules,
    deliveries: [{ channel: "phone", rule: "done" }],
  });
  const about = { agent: "claude-code", project: "shop-web", event: "Stop" };
  const attempt = { kind: "attempt" as const, event: "evt_told", about, channel: "phone", attempt: 1, ms: 3 };
  writeJournal(layout, at + 2, { ...attempt, outcome: "delivered", next: "done" });
  writeJournal(layout, at + 3, { kind: "event", event: event("evt_untold", "docs") });
  const untold = [{ name: "done", held: false, why: "the project is muted" }];
  writeJournal(layout, at + 4, { kind: "decision", event: "evt_untold", rules: untold, deliveries: [], silent: [] });
  writeJournal(layout, at + 5, {
    kind: "answer",
    what: "allow",
    agent: "codex",
    tool: "Bash",
    by: "Ann",
    channel: "phone",
  });
}

/** What no rule tells, and what one would. */
function writePrompt({ layout }: PageServer): void {
  const silent = [{ rule: "done", channel: "phone", by: "mute", why: "shop is muted" }];
  for (const [id, name, dropped] of [
    ["evt_prompt", "UserPromptSubmit", []],
    ["evt_muted", "SessionEnd", silent],
    ["evt_twice", "Stop", []],
  ] as const) {
    const duplicateOf = id === "evt_twice" ? "evt_untold" : undefined;
    writeJournal(layout, at + 10, { kind: "event", event: { ...event(id, "shop-web"), name } });
    writeJournal(layout, at + 11, { kind: "decision", event: id, deliveries: [], silent: dropped, duplicateOf });
  }
}

describe("the journal on the page", () => {
  it("says who was told, and what was not told, newest first", async () => {
    const server = await startPage();
    writeDay(server);
    const device = await server.pair();
    const kinds = async (query: Record<string, string>): Promise<string[]> =>
      (await partOf(server, device, query)).lines.map(({ kind, text }) => `${kind} ${text}`);
    expect((await kinds({})).map((line) => line.split(" ")[0])).toEqual(
      "answer decision event attempt decision event".split(" "),
    );
    expect(await kinds({ only: "notified" })).toEqual([
      expect.stringMatching(/^attempt phone delivered: shop-web · Stop/),
    ]);
    expect(await kinds({ only: "suppressed" })).toEqual([expect.stringMatching(/^decision docs · Stop: no channel/)]);
    expect(await kinds({ only: "answers" })).toEqual([expect.stringMatching(/^answer Codex · Bash: allow/)]);
  });

  it("counts as not told what a person would miss, not each event that no rule names", async () => {
    const server = await startPage();
    writeDay(server);
    writePrompt(server);
    const { lines } = await partOf(server, await server.pair(), { only: "suppressed" });
    expect(lines.map(({ event: id }) => id)).toEqual(["evt_muted", "evt_untold"]);
  });

  it("has the lines of one session, also those that name their event only", async () => {
    const server = await startPage();
    writeDay(server);
    const other = { ...event("evt_other", "docs"), session: "s2" };
    writeJournal(server.layout, at + 20, { kind: "event", event: other });
    writeJournal(server.layout, at + 21, { kind: "decision", event: "evt_other", deliveries: [], silent: [] });
    for (const name of ["s2", "s3"]) {
      writeJournal(server.layout, at + 22, { kind: "answer", what: "deny", agent: "claude-code", session: name });
    }
    const session = sessionKey({ agent: "claude-code", session: "s2", id: "" });
    const { lines } = await partOf(server, await server.pair(), { session });
    expect(lines.map(({ kind, event: id }) => [kind, id])).toEqual([
      ["answer", undefined],
      ["decision", "evt_other"],
      ["event", "evt_other"],
    ]);
  });

  it("finds all of several words, in any case, also what a decision names by its event only", async () => {
    const server = await startPage();
    writeDay(server);
    const device = await server.pair();
    const found = async (words: string): Promise<string[]> =>
      (await partOf(server, device, { words })).lines.map(({ kind }) => kind);
    expect(await found("DOCS")).toEqual(["decision", "event"]);
    expect(await found("docs muted")).toEqual(["decision"]);
    expect(await found("docs phone")).toEqual([]);
  });

  it("has everything of one event, with each rule's reason", async () => {
    const server = await startPage();
    writeDay(server);
    const device = await server.pair();
    const { file = "" } = (await partOf(server, device)).lines[0] ?? {};
    const response = await server.request(`/page/journal/${file}/evt_untold`, { device });
    const { headline, lines } = (await response.json()) as JournalDetail;
    expect(headline).toBe("Not notified: no rule matches");
    expect(lines.map(({ kind, reasons }) => [kind, reasons])).toEqual([
      ["event", { matching: [], others: [], stages: [] }],
      ["decision", { matching: [], others: ["no   done  the project is muted"], stages: [] }],
    ]);
    for (const wrong of ["..%2F..%2Fsenders.json", "2026-01-01.jsonl"]) {
      const none = await server.request(`/page/journal/${wrong}/evt_untold`, { device });
      expect(await none.json()).toMatchObject({ lines: [] });
    }
    for (const before of ["x", "../x:1", "2026-11-23.jsonl:-1", "2026-11-23.jsonl:1e9"]) {
      expect((await partOf(server, device, { before })).lines).toHaveLength(6);
    }
  });
});
