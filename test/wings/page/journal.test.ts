// The tab "Why": the journal in parts, a row for each event with who was told of it, and the reasons of one event.
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
  it("has a row for each event, with who was told or why no one was, newest first", async () => {
    const server = await startPage();
    writeDay(server);
    const device = await server.pair();
    const rows = async (query: Record<string, string>): Promise<unknown[]> =>
      (await partOf(server, device, query)).rows.map(({ kind, place, text, notified }) => [
        kind,
        place,
        text,
        notified?.channels.map(({ channel, how }) => `${channel} ${how}`) ?? notified,
      ]);
    const told = ["Stop", "shop-web", "All done.", ["phone notified"]];
    const untold = ["Stop", "docs", "All done.", []];
    const answer = ["answer", "", expect.stringMatching(/^Codex · Bash: allow/), undefined];
    expect(await rows({})).toEqual([answer, untold, told]);
    expect(await rows({ only: "notified" })).toEqual([told]);
    expect(await rows({ only: "suppressed" })).toEqual([untold]);
    expect(await rows({ only: "answers" })).toEqual([answer]);
  });

  it("says nothing of notifying where no one expects it, and of what was held over midnight on the row of its event", async () => {
    const server = await startPage();
    writeJournal(server.layout, at, {
      kind: "event",
      event: { ...event("evt_prompt", "docs"), name: "UserPromptSubmit" },
    });
    writeJournal(server.layout, at, { kind: "decision", event: "evt_prompt", rules: [], deliveries: [], silent: [] });
    writeJournal(server.layout, at, { kind: "event", event: event("evt_late", "docs") });
    const deliveries = [{ channel: "phone", rule: "done", held: "quiet hours until 07:00" }];
    writeJournal(server.layout, at, { kind: "decision", event: "evt_late", deliveries });
    const nextDay = at + 20 * 60 * 60_000;
    writeJournal(server.layout, nextDay, {
      kind: "attempt",
      event: "evt_late",
      channel: "phone",
      outcome: "delivered",
    });
    const device = await server.pair();
    const { next } = await partOf(server, device);
    const { rows } = await partOf(server, device, { before: next ?? "" });
    expect(rows.map(({ event: id, notified }) => [id, notified?.channels])).toEqual([
      ["evt_late", [expect.objectContaining({ channel: "phone", how: "notified", at: nextDay })]],
      ["evt_prompt", undefined],
    ]);
  });

  it("counts as not told what a person would miss, not each event that no rule names", async () => {
    const server = await startPage();
    writeDay(server);
    writePrompt(server);
    const { rows } = await partOf(server, await server.pair(), { only: "suppressed" });
    expect(rows.map(({ event: id }) => id)).toEqual(["evt_muted", "evt_untold"]);
  });

  it("has the rows of one session, also answers", async () => {
    const server = await startPage();
    writeDay(server);
    const other = { ...event("evt_other", "docs"), session: "s2" };
    writeJournal(server.layout, at + 20, { kind: "event", event: other });
    writeJournal(server.layout, at + 21, { kind: "decision", event: "evt_other", deliveries: [], silent: [] });
    for (const name of ["s2", "s3"]) {
      writeJournal(server.layout, at + 22, { kind: "answer", what: "deny", agent: "claude-code", session: name });
    }
    const session = sessionKey({ agent: "claude-code", session: "s2", id: "" });
    const { rows } = await partOf(server, await server.pair(), { session });
    expect(rows.map(({ kind, event: id }) => [kind, id])).toEqual([
      ["answer", undefined],
      ["Stop", "evt_other"],
    ]);
  });

  it("finds all of several words, in any case, also what a decision names by its event only", async () => {
    const server = await startPage();
    writeDay(server);
    const device = await server.pair();
    const found = async (words: string): Promise<string[]> =>
      (await partOf(server, device, { words })).rows.map(({ event: id }) => id ?? "");
    expect(await found("DOCS")).toEqual(["evt_untold"]);
    expect(await found("docs muted")).toEqual(["evt_untold"]);
    expect(await found("docs phone")).toEqual([]);
  });

  it("has everything of one event, with each rule's reason", async () => {
    const server = await startPage();
    writeDay(server);
    const device = await server.pair();
    const { file = "" } = (await partOf(server, device)).rows.at(-1) ?? {};
    const response = await server.request(`/page/journal/${file}/evt_untold`, { device });
    const { notified, lines } = (await response.json()) as JournalDetail;
    expect(notified).toEqual({ channels: [], why: "no rule matches" });
    expect(lines.map(({ kind, reasons }) => [kind, reasons])).toEqual([
      ["event", { matching: [], others: [], stages: [] }],
      ["decision", { matching: [], others: ['rule "done" does not match: the project is muted'], stages: [] }],
    ]);
    for (const wrong of ["..%2F..%2Fsenders.json", "2026-01-01.jsonl"]) {
      const none = await server.request(`/page/journal/${wrong}/evt_untold`, { device });
      expect(await none.json()).toMatchObject({ lines: [] });
    }
    for (const before of ["x", "../x:1", "2026-11-23.jsonl:-1", "2026-11-23.jsonl:1e9"]) {
      expect((await partOf(server, device, { before })).rows).toHaveLength(3);
    }
  });
});
