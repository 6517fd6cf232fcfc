// Which payloads let a person answer away from the agent's terminal.
import { expect, it } from "vitest";
import { readPayload } from "../../../src/agents/read-payload.ts";

function asked(agentId: string, payload: object) {
  const reading = readPayload(JSON.stringify(payload), { agentId, env: {} });
  if (reading.status === "invalid") throw new Error(JSON.stringify(reading.problems));
  return reading.agent.asks?.(reading.eventName, reading.usual, {});
}

const claude = { hook_event_name: "PermissionRequest", session_id: "s1", cwd: "/p", tool_name: "mcp__files__remove" };
const opencode = (properties: object) => ({
  agent: "opencode",
  type: "permission.asked",
  properties: { id: "p1", sessionID: "s1", ...properties },
  directory: "/p",
});

it("asks for a call whose arguments it knows, also where there are none", () => {
  expect(asked("claude-code", { ...claude, tool_input: {} })).toMatchObject({ subject: "mcp__files__remove" });
  expect(asked("codex", { ...claude, tool_input: { path: "/p/a" } })).toMatchObject({ input: { path: "/p/a" } });
  const read = { permission: "read", patterns: ["/p/a"], metadata: {} };
  expect(asked("opencode", opencode(read))).toMatchObject({ subject: "read", input: { patterns: ["/p/a"] } });
});

it.each([
  ["no arguments", "claude-code", claude],
  ["a text", "codex", { ...claude, tool_input: "*** Delete File: a.ts" }],
  ["a list", "qwen-code", { ...claude, tool_input: ["rm", "-rf", "/"] }],
  // https://github.com/sst/opencode: a tool of an MCP server asks with no more than this.
  ["any arguments", "opencode", opencode({ permission: "files_remove", patterns: ["*"], metadata: {} })],
  [
    "a task without its prompt",
    "opencode",
    opencode({
      permission: "task",
      patterns: ["general"],
      metadata: { description: "tidy", subagent_type: "general" },
    }),
  ],
])("does not ask where the payload has %s", (_what, agentId, payload) => {
  expect(asked(agentId, payload)).toBeUndefined();
});
