import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../../src/cli/command-line.ts";
import { listJournal, readJournal, writeJournal } from "../../../src/outbox/journal.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { listSessions, writeSession } from "../../../src/outbox/sessions.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { cliPath, payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { shell, webhookProject } from "./webhook-project.ts";

const dayMs = 86_400_000;

function withJournal(entries: number, nowMs = Date.now()): Project {
  const project = temporaryProject();
  ensureLayout(project.layout);
  for (let index = 1; index <= entries; index += 1) {
    writeJournal(project.layout, nowMs, { kind: "removed", what: `entry ${index}`, why: "a test" });
  }
  return project;
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

describe("log", () => {
  it("shows an event, what was decided and what came of it", async () => {
    const project = await webhookProject();
    await project.command(["hook", "--wait"], payloadOf("Stop", { last_assistant_message: "all green" }));
    project.receiver.behave({ answer: 400 });
    await project.command(["send", "--channel", "spare", "--wait", "hello"]);
    await project.command(["hook"], "no JSON");
    const result = await project.command(["log"]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const [id] = /msg_\w+/.exec(result.stdout) ?? [];
    const [eventId = ""] = /evt_\w{8}/.exec(result.stdout) ?? [];
    const why = (await project.command(["log", "--why", eventId])).stdout;
    expect(why).toMatch(
      /^Notified: ops \d\d:\d\d:\d\d\n.* event .*evt_\w{8}\n {4}rule "done" matches: event is "Stop".*\n.* decision /,
    );
    expect(why).not.toContain("spare");
    expect((await project.command(["why", eventId, "--all"])).stdout).toContain("silent  spare  no rule names it");
    expect((await project.command(["explain", eventId])).code).toBe(0);
    expect(
      linesOf(result.stdout).map((line) =>
        line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/, "").replace(/\d+ ms/, "N ms"),
      ),
    ).toEqual([
      expect.stringMatching(/^event {5}[\w-]+ · shop-web · Stop · all green {2}evt_\w{8}$/),
      `decision  shop-web · Stop: to ops (rule "done")  ${eventId}`,
      `attempt   ops delivered: shop-web · Stop · "all green" · answered 200 (try 1, N ms)  ${eventId}`,
      expect.stringMatching(/^event {5}hookbell · hookbell-test-\w+ · Notification · hello {2}evt_\w{8}$/),
      expect.stringMatching(
        /^decision {2}hookbell-test-\w+ · Notification: to spare \(rule "hookbell send"\) {2}evt_\w{8}$/,
      ),
      expect.stringMatching(
        /^attempt {3}spare failed \(rejected\): hookbell-test-\w+ · Notification · "hello" · answered 400.* \(try 1, N ms\); given up: msg_\w+ {2}evt_\w{8}$/,
      ),
      expect.stringMatching(/^rejected {2}\S+\.payload: payload: expected one JSON object, got text that is not JSON/),
    ]);
    // What log shows is what retry takes.
    expect((await project.command(["discard", id ?? ""])).code).toBe(0);
  });

  it("with --json prints the journal's own lines", async () => {
    const project = await webhookProject();
    await project.command(["hook", "--wait"], payloadOf("Stop"));
    const result = await project.command(["log", "--json"]);
    const written = listJournal(project.layout).map((file) => readFileSync(join(project.layout.journal, file), "utf8"));
    expect(linesOf(result.stdout).length).toBeGreaterThanOrEqual(3);
    // Its dispatcher may have written more since.
    expect(written.join("").startsWith(result.stdout)).toBe(true);
  });

  it("with --json says subagent where the journal keeps the word of 1.0.0-rc.1, as explain and sessions do", async () => {
    const project = await webhookProject([
      { name: "done", when: { event: "Stop" }, notify: ["ops"], whileSubagentsRun: "defer" },
    ]);
    const tasks = [{ id: "a1", type: "subagent", status: "running" }];
    const stop = payloadOf("Stop", { stop_hook_active: false, background_tasks: tasks });
    await project.command(["hook", "--wait", "--agent", "claude-code"], stop);
    const ask = payloadOf("PermissionRequest", { session_id: "s2", agent_id: "a2", tool_name: "Bash" });
    await project.command(["hook", "--wait", "--agent", "claude-code"], ask);
    const session = listSessions(project.layout).find(({ state }) => state.kind === "waitsForHelpers");
    if (session === undefined) throw new Error("no session waits for its subagents");
    writeSession(project.layout, { ...session, helperOf: "above" });
    const printed = async (args: string[], given?: string): Promise<Record<string, unknown>[]> =>
      linesOf((await project.command(args, given)).stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
    const [event, decision, asked] = await printed(["log", "--json"]);
    expect(event).toMatchObject({ kind: "event", event: { name: "Stop", runningSubagents: 1 } });
    expect(decision).toMatchObject({
      deliveries: [{ channel: "ops", by: "subagents", held: "1 subagent still runs" }],
      trace: expect.arrayContaining([
        { stage: "track", found: "the session was unknown, is waitsForSubagents now" },
        { stage: "route", found: "1 of 1 rules match; deferred: ops by subagents" },
      ]),
    });
    expect(asked).toMatchObject({ event: { name: "PermissionRequest" }, known: { call: { subagent: "a2" } } });
    const [{ id }] = [event?.event] as [{ id: string }];
    expect((await printed(["why", id, "--json"])).slice(0, 2)).toEqual([event, decision]);
    const explain = ["explain", "--agent", "claude-code", "--json"];
    expect(await printed(explain, stop)).toMatchObject([{ event: { name: "Stop", runningSubagents: 1 } }]);
    const [{ version, sessions } = {}] = await printed(["sessions", "--all", "--json"]);
    expect(version).toBe(2);
    expect(sessions).toContainEqual(
      expect.objectContaining({
        state: "waitsForSubagents",
        group: "waitsForSubagents",
        subagents: 1,
        subagentOf: "above",
      }),
    );
    const all = await Promise.all([printed(["log", "--json"]), printed(explain, stop)]);
    expect(JSON.stringify([all, sessions])).not.toMatch(/helper/i);
    expect(readJournal(project.layout, listJournal(project.layout)[0] ?? "")).toContainEqual(
      expect.objectContaining({ event: expect.objectContaining({ runningHelpers: 1 }) }),
    );
  });

  it("shows the last forty entries that a person sees, or all", async () => {
    const project = withJournal(50, Date.now() - dayMs);
    writeJournal(project.layout, Date.now(), { kind: "removed", what: "entry 51", why: "a test" });
    for (let index = 0; index < 45; index += 1)
      writeJournal(project.layout, Date.now(), { kind: "dispatcher", what: "ended" });
    const shown = linesOf((await project.command(["log"])).stdout);
    expect(shown).toHaveLength(40);
    expect(shown[0]).toContain("entry 12 ");
    expect(shown[39]).toContain("entry 51 ");
    expect(linesOf((await project.command(["log", "--all"])).stdout)).toHaveLength(51);
    expect(linesOf((await project.command(["log", "--json"])).stdout)).toHaveLength(40);
    expect(linesOf((await project.command(["log", "--json", "--all"])).stdout)).toHaveLength(96);
  });

  it("leaves out torn and foreign lines", async () => {
    const project = withJournal(1);
    const [file = ""] = listJournal(project.layout);
    const path = join(project.layout.journal, file);
    appendFileSync(
      path,
      'null\n[]\n7\n{"kind":"later version"}\n{"kind":"removed","what":"no time"}\n\n{"at":"2026-01',
    );
    const result = await project.command(["log"]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(linesOf(result.stdout).map((line) => line.slice(21))).toEqual([
      "removed   entry 1 · a test",
      expect.any(String),
    ]);
    expect(result.stdout).toContain("removed   no time");
    expect((await project.command(["log", "--json"])).code).toBe(0);
  });

  it("passes on nothing that steers a terminal", async () => {
    const nasty = "a\u001b]0;owned\u0007b\u009b31mc\u202ed\r\u001b[2Je";
    const project = await webhookProject();
    await project.command(["hook", "--wait"], payloadOf("Stop", { cwd: `/x/${nasty}`, last_assistant_message: nasty }));
    project.receiver.behave({ answer: 400, body: nasty });
    await project.command(["send", "--channel", "spare", "--wait", nasty]);
    appendFileSync(
      join(project.layout.journal, listJournal(project.layout)[0] ?? ""),
      `${JSON.stringify({ at: nasty, kind: "removed", what: nasty, why: nasty })}\n`,
    );
    for (const args of [["log"], ["log", "--json"]]) {
      const { stdout } = await project.command(args);
      // The sequences are gone whole; in JSON they are escaped.
      expect(stdout).toContain(args.length === 1 ? "abcd e" : "31mc");
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it("shows what was asked for: so many lines, a channel, an agent, what failed", async () => {
    const project = await webhookProject();
    await project.command(["hook", "--wait", "--agent", "droid"], payloadOf("Stop"));
    project.receiver.behave({ answer: 400 });
    await project.command(["send", "--channel", "spare", "--wait", "hello"]);
    await project.command(["hook"], "no JSON");
    const shown = async (...args: string[]): Promise<string[]> =>
      linesOf((await project.command(["log", ...args])).stdout).map((line) => line.slice(21));
    expect(await shown("-n", "1")).toEqual([expect.stringMatching(/^rejected /)]);
    expect(await shown("--last", "0")).toEqual([]);
    expect(await shown("--channel", "ops")).toEqual([
      expect.stringMatching(/^decision .* to ops/),
      expect.stringMatching(/^attempt {3}ops delivered: shop-web · Stop · /),
    ]);
    expect(await shown("--agent", "droid")).toEqual([
      expect.stringMatching(/^event {5}Droid · shop-web · Stop/),
      expect.stringMatching(/^decision /),
      expect.stringMatching(/^attempt /),
    ]);
    expect(await shown("--failed")).toEqual([
      expect.stringMatching(/^attempt {3}spare failed /),
      expect.stringMatching(/^rejected /),
    ]);
    expect(await shown("--failed", "--channel", "spare", "--agent", "hookbell")).toHaveLength(1);
    expect(linesOf((await project.command(["log", "--json", "--channel", "ops"])).stdout)).toHaveLength(2);
    expect((await project.command(["log", "--channel", "nowhere"])).stdout).toBe(
      'no such entry; there is no channel "nowhere": channels: ops, spare\n',
    );
    expect((await project.command(["log", "--channel", "spaer", "--agent", "drod"])).stdout).toBe(
      'no such entry; there is no channel "spaer": did you mean "spare"?; there is no agent "drod": did you mean "droid"?\n',
    );
    expect((await project.command(["log", "--failed", "--agent", "kiro"])).stdout).toBe("no such entry\n");
    expect(await project.command(["log", "-n", "many"])).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('"many"'),
    });
    expect(await project.command(["log", "-n", "3", "--all"])).toMatchObject({ code: 64, stdout: "" });
  });

  it("why without an id is about what went out last, even if other events came meanwhile", async () => {
    const project = await webhookProject();
    await project.command(["hook", "--wait"], payloadOf("Stop", { last_assistant_message: "all green" }));
    const [notified] = linesOf((await project.command(["why"])).stdout);
    const decided = { kind: "decision", event: "evt_00000000000000000000000b", deliveries: [], why: "quiet hours" };
    const about = { project: "shop-api", name: "StopFailure", agent: "droid", level: "error", session: "b" };
    writeJournal(project.layout, Date.now(), { kind: "event", event: { id: decided.event, ...about } });
    writeJournal(project.layout, Date.now(), decided);
    const { stdout } = await project.command(["why"]);
    expect(stdout).toMatch(
      /^Not notified: quiet hours\n[^]*\nlast notified [-\d]+ [\d:]+: .*; hookbell why evt_\w{8}\n$/,
    );
    expect((await project.command(["why", "--json"])).stdout).not.toContain("last notified");
    const [event] = readJournal(project.layout, listJournal(project.layout)[0] ?? "");
    const { id } = (event?.event ?? {}) as { id?: string };
    writeJournal(project.layout, Date.now(), { kind: "attempt", event: id, channel: "ops", outcome: "delivered" });
    expect(linesOf((await project.command(["why"])).stdout)[0]).toBe(notified);
    // What a verification sends is no event of the person's agents.
    const trial = "evt_00000000000000000000000c";
    writeJournal(project.layout, Date.now(), {
      kind: "event",
      event: { id: trial, ...about, session: `hookbell-verify-${"0".repeat(24)}` },
    });
    writeJournal(project.layout, Date.now(), { ...decided, event: trial, why: "verification" });
    expect(linesOf((await project.command(["why"])).stdout)[0]).toBe(notified);
  });

  it("leaves out that no one is told of a step of a session; --why says it", async () => {
    const project = await webhookProject();
    await project.command(["hook", "--wait", "--agent", "droid"], payloadOf("UserPromptSubmit"));
    const [event = "", ...others] = linesOf((await project.command(["log"])).stdout);
    expect(event).toContain("Droid · shop-web · UserPromptSubmit");
    expect(others).toEqual([]);
    const why = await project.command(["log", "--why", event.split("  ").at(-1) ?? ""]);
    expect(why.stdout).toContain("UserPromptSubmit: no channel");
  });

  it("shows a run of the same line once, and knows the event of an attempt that does not name it", async () => {
    const project = withJournal(0);
    const { layout } = project;
    const at = Date.now();
    const event = { id: "evt_1", agent: "codex", project: "shop", name: "Stop" };
    writeJournal(layout, at, { kind: "event", event });
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      const notBefore = new Date(at + attempt * 1000).toISOString();
      const failed = { outcome: "failed", reason: "network", detail: "no route", next: "retry", notBefore };
      writeJournal(layout, at, { kind: "attempt", event: "evt_1", channel: "ops", attempt, ms: attempt, ...failed });
    }
    writeJournal(layout, at, { kind: "attempt", event: "evt_1", channel: "ops", attempt: 7, outcome: "delivered" });
    const [, run, last, ...more] = linesOf((await project.command(["log", "--agent", "codex"])).stdout);
    expect(run).toMatch(
      /attempt {3}ops failed \(network\): shop · Stop · no route \(try 6, 6 ms\); not before \S+ \S+; 6 times since /,
    );
    expect(last).toContain("ops delivered: shop · Stop (try 7");
    expect(more).toEqual([]);
  });

  it("ends without a word when its reader has seen enough (posix)", async () => {
    const project = withJournal(2000);
    const result = await shell(project, "{ hookbell log --all; echo $? >code; } | head -n 1; cat code");
    expect(result.stderr).toBe("");
    expect(result.stdout).toMatch(/ entry 1 .*\n0\n$/);
  });

  it("says how to get something into an empty one", async () => {
    const project = temporaryProject();
    expect(await project.command(["log"])).toMatchObject({
      code: 0,
      stdout: "nothing happened yet; try: hookbell send hello\n",
    });
    expect(await project.command(["log", "--json"])).toMatchObject({ code: 0, stdout: "" });
  });
});

describe("log --follow", () => {
  /** As a process that SIGINT interrupts, or within the test. */
  function follow(
    project: Project,
    isProcess: boolean,
  ): { say: Record<"stdout" | "stderr", string>; end(): Promise<unknown> } {
    const say = { stdout: "", stderr: "" };
    if (isProcess) {
      const child = spawn(process.execPath, [cliPath, "log", "-f"], { env: project.env, cwd: project.home });
      child.stdout.on("data", (chunk: Buffer) => (say.stdout += chunk.toString()));
      child.stderr.on("data", (chunk: Buffer) => (say.stderr += chunk.toString()));
      return { say, end: () => (child.kill("SIGINT"), once(child, "close")) };
    }
    const stop = new AbortController();
    const io = commandIo(project.home, {
      env: project.env,
      stdout: (text) => void (say.stdout += text),
      stderr: (text) => void (say.stderr += text),
      untilStopped: () => stop.signal,
    });
    const ended = runCommandLine(["log", "-f"], io);
    return { say, end: async () => (stop.abort(), [await ended, null]) };
  }

  it.each([true, false])(
    "goes on with what is added, until it is interrupted (journal there before: %s)",
    async (isThere) => {
      const project = isThere ? withJournal(1) : temporaryProject();
      const { say, end } = follow(project, isThere);
      await project.until("the first line", () => say.stdout.endsWith("\n"));
      ensureLayout(project.layout);
      writeJournal(project.layout, Date.now(), { kind: "removed", what: "added", why: "a test" });
      await project.until("the added entry", () => say.stdout.includes("added"));
      // A line that is written in two goes.
      const path = join(project.layout.journal, listJournal(project.layout).at(-1) ?? "");
      appendFileSync(path, `{"at":"2026-01-31T12:00:00.000Z","kind":"removed",`);
      writeJournal(project.layout, Date.now() + dayMs, { kind: "removed", what: "next day", why: "a test" });
      await project.until("the next day's entry", () => say.stdout.includes("next day"));
      appendFileSync(path, `"what":"whole now"}\n`);
      await project.until("the whole line", () => say.stdout.includes("whole now"));
      // On Windows, no one else than a terminal can interrupt a process; another one only ends it.
      const isEndedByForce = isThere && process.platform === "win32";
      expect(await end()).toEqual(isEndedByForce ? [null, "SIGINT"] : [0, null]);
      expect(say.stderr).toBe("");
      expect(linesOf(say.stdout).map((line) => line.replace(/^.*(removed|nothing)/, "$1"))).toEqual([
        isThere ? "removed   entry 1 · a test" : "nothing happened yet; try: hookbell send hello",
        "removed   added · a test",
        "removed   next day · a test",
        "removed   whole now",
      ]);
    },
  );
});
