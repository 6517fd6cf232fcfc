// The line for status bars: a script in the state folder that the dispatcher keeps.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createStatusLine } from "../../../src/daemon/leased/status-line.ts";
import { readSession, writeSession, type SessionRecord } from "../../../src/outbox/sessions.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { startAgentTerminal, terminalParts } from "../../support/agents/agent-terminal.ts";
import { describeWithParts } from "../../support/parts.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";

async function prepared() {
  const running = prepareDispatcher();
  const { layout } = running.dispatcher;
  running.writeRules({ channels: { desk: { type: "webhook", url: "http://127.0.0.1:9/x" } }, rules: [] });
  await running.dispatcher.rereadRules();
  const path = join(layout.root, "status-line");
  const printed = (): string => spawnSync("/bin/sh", [path], { encoding: "utf8" }).stdout;
  const hear = (session: string, event: string, facts: object = {}): void => {
    const payload = { hook_event_name: event, session_id: session, cwd: "/home/u/shop-web" };
    writeIncoming(layout, JSON.stringify({ ...payload, ...facts }), {
      agentId: "claude-code",
      nowMs: running.clock.now(),
    });
  };
  const put = (session: string, kind: "done" | "working", more: Partial<SessionRecord> = {}): void => {
    const at = running.clock.now();
    const facts = { since: at, reason: "", source: "hook" } as const;
    const state = kind === "done" ? { ...facts, kind, isSeen: false } : { ...facts, kind, turn: { helpers: 0 } };
    writeSession(layout, recordOf({ agent: "claude-code", session, lastSeenAt: at, state, ...more }));
  };
  return { ...running, layout, path, printed, hear, put };
}

const call = { tool_name: "Bash", tool_input: { command: "echo '$(id)'" } };

describe("the status line (posix)", () => {
  it("follows the sessions while a dispatcher runs, and is marked when it has ended", async () => {
    const { run, hear, printed, clock, until, path, stop } = await prepared();
    hear("s1", "UserPromptSubmit", { prompt: "fix the cart" });
    hear("s2", "UserPromptSubmit", { prompt: "fix the shop" });
    const ended = run();
    const becomes = async (line: string): Promise<void> =>
      await until(line, () => {
        clock.turn(500);
        return existsSync(path) && printed() === line;
      });
    await becomes("2 work\n");
    hear("s1", "PermissionRequest", call);
    await becomes("1 needs you, 1 works\n");
    hear("s1", "PostToolUse", call);
    hear("s2", "Stop");
    await becomes("1 works\n");
    stop();
    await ended;
    expect(printed()).toBe("1 works?\n");
  });

  it("counts neither turns that have ended, nor ended processes, subagents and hookbell's own events", async () => {
    const { dispatcher, printed, put } = await prepared();
    put("own", "working", { agent: "hookbell" });
    put("done", "done");
    put("gone", "working", { terminal: { device: "/dev/pts/9999", pid: process.pid, start: "1" } });
    put("helper", "working", { helperOf: "s1" });
    await createStatusLine(dispatcher).poll(dispatcher.tools.clock.now());
    expect(printed()).toBe("");
  });

  it("says that the rules file is broken", async () => {
    const { dispatcher, printed, put } = await prepared();
    const broken = { ...dispatcher.rules(), problems: [{ path: "", message: "no JSON" }] };
    const line = createStatusLine({ ...dispatcher, rules: () => broken });
    await line.poll(dispatcher.tools.clock.now());
    expect(printed()).toBe("rules broken\n");
    put("s1", "working");
    await createStatusLine({ ...dispatcher, rules: () => broken }).poll(dispatcher.tools.clock.now());
    expect(printed()).toBe("1 works, rules broken\n");
  });

  it("is marked after its dispatcher was killed: nothing keeps it true", async () => {
    const { dispatcher, printed, put, path } = await prepared();
    put("s1", "working");
    await createStatusLine(dispatcher).poll(dispatcher.tools.clock.now());
    expect(printed()).toBe("1 works\n");
    const { pid: killed } = spawnSync("/bin/true");
    const script = readFileSync(path, "utf8").replace(String(process.pid), String(killed));
    expect(spawnSync("/bin/sh", ["-c", script], { encoding: "utf8" })).toMatchObject({
      stdout: "1 works?\n",
      status: 0,
    });
  });

  it("is written only when it changes, at most four times a second", async () => {
    const { dispatcher, put, printed, clock, path } = await prepared();
    const line = createStatusLine(dispatcher);
    put("s1", "working");
    await line.poll(clock.now());
    const before = readFileSync(path, "utf8");
    put("s2", "working");
    const { nextAt } = await line.poll(clock.now());
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(nextAt).toBe(clock.now() + 250);
    clock.turn(250);
    await line.poll(clock.now());
    expect(printed()).toBe("2 work\n");
  });
});

it("the status line stops no dispatcher that cannot write it: events are still taken in", async () => {
  const { run, hear, layout, path, until, clock, stop } = await prepared();
  mkdirSync(join(path, "something"), { recursive: true });
  const ended = run();
  hear("s1", "UserPromptSubmit", { prompt: "fix the cart" });
  await until("the session", () => {
    clock.turn(500);
    return readSession(layout, "claude-code", "s1").state.kind === "working";
  });
  stop();
  expect(await ended).toBe("ended");
});

it("the status line is not written on Windows, where its script would always say that no dispatcher runs", async () => {
  const { dispatcher, path, put } = await prepared();
  put("s1", "working");
  const { clock } = dispatcher.tools;
  await createStatusLine({ ...dispatcher, tools: { ...dispatcher.tools, platform: "win32" } }).poll(clock.now());
  expect(existsSync(path)).toBe(false);
});

describeWithParts("the status line in tmux", terminalParts, () => {
  it("is shown by status-right", async () => {
    const { dispatcher, layout, path, put } = await prepared();
    put("s1", "working");
    put("s2", "working");
    await createStatusLine(dispatcher).poll(dispatcher.tools.clock.now());
    const settings = join(layout.root, "tmux.conf");
    writeFileSync(settings, `set -g status-right '#(${path})'\nset -g status-interval 1\n`);
    // A tmux in a tmux: only the outer one's screen can be read with a status line on it.
    const inner = ["tmux", "-S", join(layout.root, "inner"), "-f", settings];
    const env = { PATH: process.env.PATH ?? "" };
    const terminal = startAgentTerminal(layout.root, ["env", "-u", "TMUX", ...inner, "new-session"], {
      cwd: layout.root,
      env,
    });
    onTestFinished(() => {
      spawnSync("tmux", [...inner.slice(1), "kill-server"]);
    });
    await terminal.until(/2 work/);
    expect(terminal.shows(/2 work/)).toBe(true);
  });
});
