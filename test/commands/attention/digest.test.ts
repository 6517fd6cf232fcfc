// `hookbell digest` reads the journal and the sessions; the sums are tested in attention/.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { digest } from "../../../src/commands/attention/digest.ts";
import { queueDueDigest } from "../../../src/daemon/lasting/due-digest.ts";
import type { CommandIo } from "../../../src/console/command-io.ts";
import { UserError } from "../../../src/model/errors.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { writeJournal } from "../../../src/outbox/journal.ts";
import { ensureLayout, layoutOf, type Layout } from "../../../src/outbox/layout.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { recordOf } from "../../support/project/session-record.ts";

/** 15:30 in the time zone of the tests' machine. */
const now = new Date(2026, 10, 28, 15, 30).getTime();
const minute = 60_000;
let home: string;
let layout: Layout;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hookbell-digest-"));
  layout = layoutOf(commandIo(home).places.stateDir);
  ensureLayout(layout);
});

async function run(...args: string[]): Promise<string> {
  return await runOn({}, ...args);
}

async function runOn(screen: Partial<CommandIo>, ...args: string[]): Promise<string> {
  const out: string[] = [];
  // Otherwise a dispatcher would be started.
  const env = { HOME: home, PATH: "", HOOKBELL_DISABLE: "1" };
  await digest(
    args,
    commandIo(home, { env, clock: createFakeClock(now), stdout: (text) => out.push(text), ...screen }),
    [],
  );
  return out.join("");
}

function happened(id: string, minutesAgo: number, more: Partial<AgentEvent> & { name: string }, told = {}): void {
  const at = now - minutesAgo * minute;
  const common = { agent: "codex", session: "s1", cwd: "/p", project: "shop-web", host: "h", level: "success" };
  writeJournal(layout, at, {
    kind: "event",
    event: { id, at: new Date(at).toISOString(), ...common, ...more },
    ...told,
  });
}

describe("digest", () => {
  it("says so when nothing happened", async () => {
    expect(await run("--since", "8h")).toMatch(/^nothing happened since 2026-11-28 07:30:00\n$/);
  });

  it("counts notifications of changed hooks, which are no work of an agent's", async () => {
    const changed = { name: "HookChanged", agent: "hookbell", project: "shop", level: "attention" } as const;
    for (const [index, id] of ["evt_1", "evt_2", "evt_3"].entries()) {
      happened(id, 60 - index, { ...changed, session: `hooks-${index}` });
      const outcome = id === "evt_3" ? "failed" : "delivered";
      writeJournal(layout, now - minute, { kind: "attempt", event: id, outcome });
    }
    happened("evt_4", 50, { name: "Digest", agent: "hookbell" });
    writeJournal(layout, now - minute, { kind: "attempt", event: "evt_4", outcome: "delivered" });
    const text = await run("--since", "8h");
    expect(text).toContain("2 notifications sent, 0 kept back or withdrawn, 1 reached no channel");
    expect(text).not.toContain("shop");
  });

  it("counts work, messages sent and kept back, failures, and who waits", async () => {
    happened("evt_1", 60, { name: "Stop", durationMs: 20 * minute });
    happened("evt_2", 59, { name: "Stop", durationMs: 20 * minute }, { duplicateOf: "evt_1" });
    happened("evt_3", 30, { name: "StopFailure", level: "error", message: "rate limit\u001b[2J" });
    happened("evt_4", 26 * 60, { name: "Stop", durationMs: 20 * minute });
    writeJournal(layout, now - minute, { kind: "attempt", event: "evt_1", outcome: "delivered" });
    writeJournal(layout, now - minute, { kind: "attempt", event: "evt_3", outcome: "failed" });
    writeJournal(layout, now - minute, { kind: "attention", event: "evt_3", verdict: "drop" });
    writeJournal(layout, now, { kind: "decision", event: "evt_1", silent: [{ by: "presence" }, { why: "no rule" }] });
    const open = [{ id: "evt_5", at: now - 4 * minute, name: "Notification", words: "May I?" }];
    writeSession(
      layout,
      recordOf({ agent: "codex", session: "s2", project: "api", lastSeenAt: now, open, remembered: {} }),
    );

    const shown = await run();
    expect(shown).toContain("2 turns, 20m of work, 1 failure since 2026-11-27 15:30:00\n");
    expect(shown).toMatch(/^shop-web +Codex +2 +20m .*0 +1$/m);
    expect(shown).toMatch(/^1 failure:\n {2}2026-11-28 15:00:00 {2}shop-web \(Codex\): rate limit[^\u001b]*$/m);
    expect(shown).toContain("1 session waits for you:\n  api (4m): May I?\n");
    expect(shown).toContain("1 notification sent, 1 kept back or withdrawn (hookbell log)");
    expect(JSON.parse(await run("--json"))).toMatchObject({ total: { turns: 2, failures: 1, sent: 1, withheld: 1 } });
  });

  it("counts a notification once, whatever became of it on each channel", async () => {
    for (const id of ["evt_1", "evt_2", "evt_3", "evt_4"]) happened(id, 60, { name: "Stop", durationMs: minute });
    const attempt = (event: string, outcome: string): void =>
      writeJournal(layout, now, { kind: "attempt", event, outcome, next: outcome === "failed" ? "dead" : "done" });
    for (const outcome of ["delivered", "delivered", "failed"]) attempt("evt_1", outcome);
    attempt("evt_2", "failed");
    for (const event of ["evt_3", "evt_4"]) {
      writeJournal(layout, now, { kind: "decision", event, deliveries: [{ id: `msg_${event}` }] });
    }
    const summarises = ["msg_evt_3", "msg_evt_4"];
    writeJournal(layout, now, { kind: "decision", event: "evt_sum", deliveries: [{ id: "msg_sum" }], summarises });
    attempt("evt_sum", "delivered");
    happened("evt_5", 60, { name: "PostToolUse", level: "info" });
    writeJournal(layout, now, { kind: "attempt", event: "evt_5", delivery: "msg_list", outcome: "delivered" });
    expect(await run()).toContain(
      "3 notifications sent, 0 kept back or withdrawn, 1 reached no channel (hookbell log)\n",
    );
  });

  it("counts what failed on one channel and was silent on another as lost", async () => {
    happened("evt_1", 60, { name: "Notification", level: "attention" });
    const silent = [{ channel: "sound", by: "crowd" }];
    writeJournal(layout, now, { kind: "decision", event: "evt_1", deliveries: [{ id: "msg_1" }], silent });
    writeJournal(layout, now, { kind: "attempt", event: "evt_1", delivery: "msg_1", outcome: "failed", next: "dead" });
    expect(await run()).toContain("0 notifications sent, 0 kept back or withdrawn, 1 reached no channel");
  });

  it("fits a screen of 60 columns, and says how much work a bar is", async () => {
    happened("evt_1", 60, { name: "Stop", durationMs: 20 * minute });
    const words = "the tests of the shopping cart fail since the last merge of the main branch";
    happened("evt_2", 30, { name: "StopFailure", level: "error", message: words });
    const open = [{ id: "evt_3", at: now - 4 * minute, name: "Notification", words }];
    writeSession(
      layout,
      recordOf({ agent: "codex", session: "s2", project: "api", lastSeenAt: now, open, remembered: {} }),
    );
    const shown = await runOn({ isTerminal: true, columns: 60 });
    expect(shown.split("\n").filter((line) => line.length > 60)).toEqual([]);
    expect(shown).toContain("█\u2581\neach bar is 1h; the highest is 20m of work\n");
  });

  it.each([
    ["15:00", "2026-11-28 15:00:00"],
    ["16:00", "2026-11-27 16:00:00"],
    ["90m", "2026-11-28 14:00:00"],
  ])("--since %s", async (since, expected) => {
    expect(await run("--since", since)).toContain(expected);
  });

  it("is sent once for each time, by hand or by a dispatcher, and not without news", async () => {
    expect(await run("--send")).toBe("nothing happened, so there is nothing to send\n");
    happened("evt_1", 60, { name: "Stop", durationMs: 20 * minute });
    happened("evt_2", 60, { name: "UsageDigest", agent: "platform", project: "usage" });
    expect(await run("--send", "--json")).toBe('{"digest":"queued"}\n');
    expect(await run("--send")).toBe("this digest was sent before\n");
    expect(listIncoming(layout)).toHaveLength(1);
    const schedule = { at: 15 * 60, days: [0, 1, 2, 3, 4, 5, 6] };
    expect(queueDueDigest(layout, schedule, now)).toBe(now + 23.5 * 60 * minute);
    queueDueDigest(layout, schedule, now + minute);
    expect(listIncoming(layout)).toHaveLength(2);
  });

  it("refuses what is not a time", async () => {
    await expect(run("--since", "soon")).rejects.toThrow(UserError);
  });
});
