import { describe, expect, it } from "vitest";
import { agents, findAgent } from "../../src/agents/index.ts";
import { readPayload } from "../../src/agents/read-payload.ts";
import { capturedPayloads, documentedPayloads } from "../support/agents/agent-payloads.ts";
import { readings } from "../support/agents/readings.ts";
import { everyRow } from "../support/rows.ts";

const payloads = [...capturedPayloads, ...documentedPayloads];
const flags = agents.map(({ id }) => id).filter((id) => id !== "generic");

/** Whose the payload is taken to be. */
function labelOf(text: string, agentId: string | undefined, env: Record<string, string> = {}): string {
  return readPayload(text, { agentId, eventName: "Stop", env }).agentId;
}

describe("whose payload it is", () => {
  it("is never taken for that of a third agent, whichever agent --agent names", () =>
    everyRow(flags, (flag) => {
      const wrong = payloads.flatMap(({ agentId, file, text }) => {
        const label = labelOf(text, flag);
        return label === agentId || label === flag ? [] : [`${agentId}/${file} -> ${label}`];
      });
      expect(wrong).toEqual([]);
    }));

  it("is the flag's own agent's, for every payload of it", () => {
    expect(payloads.filter(({ agentId, text }) => labelOf(text, agentId) !== agentId)).toEqual([]);
  });

  it("is never taken for that of another agent without a flag: rather for no one's", () => {
    const wrong = payloads.filter(({ agentId, text }) => ![agentId, "generic"].includes(labelOf(text, undefined)));
    expect(wrong).toEqual([]);
  });

  it("is known although the hook was imported from Claude Code's settings, but for what says nothing", () => {
    const isKnowable = (id: string): boolean => id !== "claude-code" && findAgent(id)?.isAuthor !== undefined;
    const unknown = payloads.filter(
      ({ agentId, text }) => isKnowable(agentId) && labelOf(text, "claude-code") !== agentId,
    );
    const anonymous = Object.entries(readings).flatMap(([id, each]) =>
      (each.anonymous ?? []).map((file) => `${id}/${file}`),
    );
    const files = unknown.map(({ agentId, file }) => `${agentId}/${file}`);
    const hint =
      "an agent without fields of its own has no `isAuthor`; single files stand in `anonymous` of readings.ts";
    expect(files.toSorted(), hint).toEqual(anonymous.toSorted());
  });

  it("is what Claude Code's says it is, no matter which agent is named", () => {
    const claude = payloads.filter(({ agentId }) => agentId === "claude-code");
    for (const flag of flags) {
      expect(claude.filter(({ text }) => labelOf(text, flag) !== flag)).toEqual([]);
    }
  });

  it("stays Claude Code's, should it take to telling the time and more", () => {
    const claude = payloads.filter(({ agentId }) => agentId === "claude-code");
    const more = { timestamp: "2026-11-21T10:00:00.000Z", turn_id: "1", model: "m", permission_mode: "auto" };
    const relabelled = claude.filter(({ text }) => {
      const payload = { ...more, ...(JSON.parse(text) as object) };
      return labelOf(JSON.stringify({ prompt_id: "p", ...payload }), "claude-code") !== "claude-code";
    });
    expect(relabelled).toEqual([]);
  });

  it("says whose hook it was that ran", () => {
    const { text = "" } = payloads.find(({ agentId }) => agentId === "cursor") ?? {};
    expect(readPayload(text, { agentId: "claude-code", env: {} })).toMatchObject({ calledAs: "claude-code" });
    expect(readPayload(text, { agentId: "cursor", env: {} })).toMatchObject({ calledAs: undefined });
    expect(readPayload(text, { env: {} })).toMatchObject({ agentId: "cursor", calledAs: undefined });
  });

  it("is the person's own agent's, whatever the payload looks like", () => {
    const cursor = payloads.find(({ agentId }) => agentId === "cursor");
    expect(labelOf(cursor?.text ?? "", "my-agent")).toBe("my-agent");
    expect(labelOf(cursor?.text ?? "", "generic")).toBe("generic");
  });

  it.each([
    [{ GEMINI_SESSION_ID: "1", CLAUDE_PROJECT_DIR: "/p" }, "gemini-cli"],
    [{ QWEN_PROJECT_DIR: "/p" }, "qwen-code"],
    [{ CURSOR_VERSION: "3", CLAUDE_PROJECT_DIR: "/p" }, "cursor"],
    [{ CODEX_THREAD_ID: "1" }, "codex"],
  ])("is told by the environment %j when nothing else does", (env, agentId) => {
    const text = JSON.stringify({ hook_event_name: "Stop", session_id: "s", cwd: "/p" });
    expect(labelOf(text, undefined, env)).toBe(agentId);
    expect(labelOf(text, "droid", env)).toBe("droid");
  });

  it.each(["claude-code", "cursor", "grok"])(
    "is Grok Build's by its shape, although it runs the hook of %s",
    (flag) => {
      const grok = payloads.filter(({ agentId }) => agentId === "grok");
      expect(grok.filter(({ text }) => labelOf(text, flag) !== "grok")).toEqual([]);
      expect(grok.length).toBeGreaterThan(5);
    },
  );

  it("stays Claude Code's where another agent has started it from its shell", () => {
    const inherited = { GROK_SESSION_ID: "1", GROK_HOOK_EVENT: "stop", DEVIN_PROJECT_DIR: "/p" };
    const claude = payloads.filter(({ agentId }) => agentId === "claude-code");
    expect(claude.filter(({ text }) => labelOf(text, "claude-code", inherited) !== "claude-code")).toEqual([]);
  });

  describe("without a transcript and a prompt's id is not Claude Code's, whose hook it was", () => {
    const payload = { hook_event_name: "Stop", session_id: "5f0c6f6e", transcript_path: "", cwd: "/p" };
    const text = JSON.stringify({ ...payload, last_assistant_message: "Done." });

    it.each([
      [{}, "generic"],
      [{ CLAUDECODE: "1", CURSOR_VERSION: "3" }, "generic"],
      [{ DEVIN_PROJECT_DIR: "/p" }, "devin"],
      [{ GROK_HOOK_EVENT: "stop" }, "grok"],
    ])("and in the environment %j it is that of %s", (env, agentId) => {
      const reading = readPayload(text, { agentId: "claude-code", env });
      expect(reading).toMatchObject({ status: "valid", agentId, calledAs: "claude-code", facts: { message: "Done." } });
    });

    it("nor does its question get an answer from elsewhere", () => {
      const asked = {
        ...payload,
        hook_event_name: "PermissionRequest",
        tool_name: "Bash",
        tool_input: { command: "x" },
      };
      const reading = readPayload(JSON.stringify(asked), { agentId: "claude-code", env: {} });
      expect(reading).toMatchObject({ status: "valid", agentId: "generic", facts: { message: "run `x`?" } });
      expect(reading.status === "valid" && reading.agent.asks).toBeUndefined();
    });

    it("as the name of the payload's file says of its hook's environment", () => {
      const hints = { agentId: "claude-code", env: {}, hookOf: "devin" };
      expect(readPayload(text, hints).agentId).toBe("devin");
      const named = JSON.stringify({ ...payload, transcript_path: "/t.jsonl" });
      expect(readPayload(named, hints).agentId).toBe("claude-code");
    });

    it.each([{ prompt_id: "p1" }, { transcript_path: "/t.jsonl" }, { transcript_path: undefined }])(
      "but with %j it may be",
      (more) => expect(labelOf(JSON.stringify({ ...payload, ...more }), "claude-code")).toBe("claude-code"),
    );
  });

  it("is Devin CLI's by its session's two words only where Devin CLI runs the hook", () => {
    const devin = payloads.filter(({ agentId }) => agentId === "devin");
    for (const { text } of devin) {
      expect(labelOf(text, "claude-code")).toBe("devin");
      expect([labelOf(text, undefined), labelOf(text, "cursor")]).toEqual(["generic", "cursor"]);
    }
  });

  it.each([
    [
      "a made one with a time",
      { hook_event_name: "Stop", session_id: "s", cwd: "/", timestamp: "2026-01-01T00:00:00Z" },
    ],
    ["a made one in camelCase", { hookEventName: "Stop", sessionId: "s", cwd: "/", timestamp: 1_760_000_000_000 }],
    ["a made one with a mode", { hook_event_name: "Stop", session_id: "s", cwd: "/", permission_mode: "default" }],
    ["a made one with a turn", { hook_event_name: "Stop", session_id: "s", cwd: "/", turn_id: "1" }],
  ])("is no one's: %s", (_name, payload) => {
    expect(labelOf(JSON.stringify(payload), undefined)).toBe("generic");
    expect(labelOf(JSON.stringify(payload), "droid")).toBe("droid");
  });
});
