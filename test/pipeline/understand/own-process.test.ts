// Which process is the agent's, by what the agent says of it.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Agent } from "../../../src/agents/dialect/agent.ts";
import { agents } from "../../../src/agents/index.ts";
import { readPayload } from "../../../src/agents/read-payload.ts";
import type { SessionRecord } from "../../../src/outbox/sessions.ts";
import { processNamed, processNamedOnWindows } from "../../../src/pipeline/understand/own-process.ts";
import type { PayloadOrigin } from "../../../src/pipeline/understand/reading.ts";
import { inChain } from "../../answers/chain.ts";
import { deadPid } from "../../support/project/forged-lease.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { everyRow } from "../../support/rows.ts";

const start = Date.parse("2026-11-22T10:00:00Z");

function agentOf(id: string): Agent {
  const agent = agents.find((each) => each.id === id);
  if (agent === undefined) throw new Error(`no agent ${id}`);
  return agent;
}

describe("the process that an agent names as its own", () => {
  const [hook, agent, shell, window] = [
    inChain("sh"),
    inChain("claude"),
    inChain("bash", { leadsSession: true }),
    inChain("gnome-terminal-server", { terminal: "" }),
  ];
  const [sibling, lone, manager] = [inChain("sleep"), inChain("sh"), inChain("systemd", { terminal: "" })];
  const init = { ...inChain("init", { terminal: "" }), pid: 1, parentPid: 0 };
  const parents = new Map([
    [hook, agent],
    [agent, shell],
    [shell, window],
    [window, manager],
    [sibling, agent],
    [lone, manager],
    [manager, init],
  ]);
  const all = [...parents.keys(), init].map((each) => ({ ...each, parentPid: parents.get(each)?.pid ?? 0 }));
  const look = (pid: number) => all.find((each) => each.pid === pid);
  it("is found among the callers, or is none", () =>
    everyRow(
      [
        ["is the one that started the hook", agent.pid, [hook.pid], agent],
        ["is that one where the hook's shell has ended", agent.pid, [7, agent.pid], agent],
        ["is no other process that it has started", sibling.pid, [hook.pid, agent.pid], undefined],
        ["is not the person's shell", shell.pid, [hook.pid], undefined],
        ["is not the person's terminal", window.pid, [hook.pid], undefined],
        ["is not the first process", 1, [hook.pid], undefined],
        ["is not the first process of a hook that left the agent", 1, [lone.pid], undefined],
        ["is not the user's service manager", manager.pid, [lone.pid], undefined],
        ["is unknown where no caller lives", agent.pid, [7], undefined],
      ],
      ([_what, namedPid, callerPids, expected]) => {
        const before = recordOf({ agent: "claude-code", session: "s1" });
        const named = processNamed(
          start,
          agentOf("claude-code"),
          { namedPid, callerPids, receivedAt: start },
          before,
          look,
        );
        expect(named).toEqual(expected && { pid: expected.pid, start: expected.start });
      },
    ));
});

describe("the process that an agent names as its own, on Windows", () => {
  const [own, parent] = [
    { pid: process.pid, start: "" },
    { pid: process.ppid, start: "" },
  ];
  const dead = { pid: deadPid, start: "" };

  function named(agentId: string, origin: Partial<PayloadOrigin>, facts: Partial<SessionRecord> = {}, home = "/none") {
    const payload = { hook_event_name: "Stop", session_id: "s1", cwd: "/p", ...payloads[agentId] };
    const reading = readPayload(JSON.stringify(payload), { agentId, eventName: undefined, env: {} });
    if (reading.status === "invalid") throw new Error(`${agentId}: ${JSON.stringify(reading.problems)}`);
    const before = recordOf({ agent: agentId, session: "s1", ...facts });
    return processNamedOnWindows(reading, origin, before, { env: {}, home });
  }
  const payloads: Record<string, object> = {
    "claude-code": { transcript_path: "/p/s1.jsonl" },
    opencode: { agent: "opencode", type: "session.idle", properties: { sessionID: "s1" }, directory: "/p" },
    pi: { agent: "pi", type: "agent_settled", mode: "tui" },
    "copilot-cli": { sessionId: "s1" },
  };
  const gone = { kind: "gone", since: start, reason: "", source: "process" } as const;

  it("is the one that it names, or one that is known and runs", () =>
    everyRow<[string, string, Partial<PayloadOrigin>, Partial<SessionRecord>, SessionRecord["process"]]>(
      [
        ["is named by Claude Code", "claude-code", { namedPid: own.pid }, {}, own],
        ["is named by hookbell's plug-in in opencode", "opencode", { namedPid: own.pid }, {}, own],
        ["is named by hookbell's extension of pi", "pi", { namedPid: own.pid }, {}, own],
        ["is not known of an agent that may have inherited the name", "droid", { namedPid: own.pid }, {}, undefined],
        ["is not known if it has ended", "claude-code", { namedPid: deadPid }, { process: own }, undefined],
        [
          "is another one where the session was resumed",
          "claude-code",
          { namedPid: own.pid },
          { process: parent },
          own,
        ],
        ["stays where an event does not name it", "claude-code", {}, { process: own }, own],
        ["is forgotten where it has ended and an event comes", "claude-code", {}, { process: dead }, undefined],
        ["is forgotten with the session's end", "claude-code", {}, { process: own, state: gone }, undefined],
        ["is none of another machine's", "claude-code", { namedPid: own.pid, remoteHost: "box" }, {}, undefined],
      ],
      ([_what, agentId, origin, before, expected]) => expect(named(agentId, origin, before)).toEqual(expected),
    ));

  /** A home in which an agent has noted its processes. */
  function homeWith(files: Record<string, string>): string {
    const home = temporaryFolder();
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    }
    return home;
  }

  it("is in the name of the file with which Copilot CLI holds its session", () => {
    const lock = (pid: number): Record<string, string> => ({
      [`.copilot/session-state/s1/inuse.${pid}.lock`]: `${pid}`,
    });
    const found = (...pids: number[]) => {
      const home = homeWith(Object.assign({ ".copilot/session-state/s1/events.jsonl": "" }, ...pids.map(lock)));
      return named("copilot-cli", {}, {}, home);
    };
    expect(found(own.pid)).toEqual(own);
    expect(found(deadPid, own.pid)).toEqual(own);
    expect(found(deadPid)).toBeUndefined();
    expect(found(own.pid, parent.pid)).toBeUndefined();
    expect(named("copilot-cli", {}, {}, homeWith({}))).toBeUndefined();
  });

  it("is in the file that Qwen Code has beside its transcript", () => {
    const found = (pid: unknown, name = "s1.runtime.json", text = JSON.stringify({ schema_version: 1, pid })) => {
      const home = homeWith({ "chats/s1.jsonl": "", [`chats/${name}`]: text });
      return named("qwen-code", {}, { transcript: join(home, "chats", "s1.jsonl") });
    };
    expect(found(own.pid)).toEqual(own);
    expect(found(deadPid)).toBeUndefined();
    expect(found(`${own.pid}`)).toBeUndefined();
    expect(found(own.pid, "s2.runtime.json")).toBeUndefined();
    expect(found(own.pid, "s1.runtime.json", "{")).toBeUndefined();
  });
});
