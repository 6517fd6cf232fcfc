import { expect, test } from "vitest";
import { readPayload } from "../../../src/agents/read-payload.ts";
import { usageOfPayload } from "../../../src/agents/dialect/usage.ts";
import { slashCommandOf, usageOfCall, usageOfResult } from "../../../src/agents/dialect/tool-usage.ts";
import { capturedPayloads } from "../../support/agents/agent-payloads.ts";
import type { Usage } from "../../../src/model/usage.ts";

test.each<[string, unknown, Usage]>([
  ["Bash", { command: "ls" }, { tool: "Bash" }],
  ["mcp__github__create_issue", {}, { tool: "mcp__github__create_issue", server: "github" }],
  ["mcp__my_server__a__b", {}, { tool: "mcp__my_server__a__b", server: "my_server" }],
  ["linear___list_issues", {}, { tool: "linear___list_issues", server: "linear" }],
  ["Skill", { skill: "review" }, { tool: "Skill", skill: "review" }],
  ["SlashCommand", { command: "/deploy now" }, { tool: "SlashCommand", slashCommand: "deploy" }],
  ["a\u0007b\nc", {}, { tool: "a b c" }],
])("a call of %j", (name, input, usage) => {
  expect(usageOfCall(name, input)).toEqual(usage);
});

test.each<[string, unknown, boolean, Usage]>([
  ["Write", { file_path: "/p/a.TS", content: "secret" }, false, { created: [".ts"] }],
  ["Write", { file_path: "/p/a.ts" }, true, { edited: [".ts"] }],
  ["Edit", { file_path: "C:\\p\\Makefile" }, false, { edited: [""] }],
  ["write", { filePath: "/p/.env" }, false, { created: [""] }],
  [
    "apply_patch",
    { input: "*** Begin Patch\n*** Add File: a.py\n+x\n*** Update File: b/c.go\n*** End Patch" },
    false,
    { created: [".py"], edited: [".go"] },
  ],
  ["shell", { command: ["bash", "-lc", "git commit -m x"] }, false, { commits: 1 }],
  ["exec_command", { cmd: "git commit -m x && gh pr create" }, false, { commits: 1, pullRequests: 1 }],
  ["Read", { file_path: "/p/a.ts" }, false, {}],
])("what %s has done with %j", (name, input, isEdit, usage) => {
  expect(usageOfResult(name, input, isEdit)).toEqual(usage);
});

test.each([
  ["/review", "review"],
  ["/plugin:do it", "plugin:do"],
  ["  /model opus", "model"],
  ["/home/u/proj is broken", undefined],
  ["see /review", undefined],
  ["", undefined],
])("the prompt %j", (prompt, command) => {
  expect(slashCommandOf(prompt)).toBe(command);
});

test.each<[string, Record<string, unknown>, string, Usage | undefined]>([
  ["the end of a turn", { permission_mode: "plan" }, "Stop", undefined],
  [
    "Claude Code's mode",
    { permission_mode: "acceptEdits", tool_name: "Read" },
    "PostToolUse",
    { tool: "Read", level: "auto-low" },
  ],
  ["Droid's mode", { permission_mode: "off", tool_name: "Read" }, "PostToolUse", { tool: "Read", level: "manual" }],
  ["a strange mode", { permission_mode: "constructor", tool_name: "Read" }, "PostToolUse", { tool: "Read" }],
  ["a prompt", { prompt: "my secret plan" }, "UserPromptSubmit", undefined],
  ["a command", { prompt: "/review all" }, "UserPromptSubmit", { slashCommand: "review" }],
  [
    "a call that has not run yet",
    { tool_name: "Bash", tool_input: { command: "git commit" } },
    "PreToolUse",
    undefined,
  ],
  ["a call", { tool_name: "Bash", tool_input: { command: "git commit" } }, "PostToolUse", { tool: "Bash", commits: 1 }],
  [
    "a call that failed",
    { tool_name: "Bash", tool_input: { command: "git commit" } },
    "PostToolUseFailure",
    { tool: "Bash" },
  ],
  [
    "a command that failed",
    {
      tool_name: "Execute",
      tool_input: { command: "git commit" },
      tool_response: "no\n\n[Process exited with code 1]",
    },
    "PostToolUse",
    { tool: "Execute" },
  ],
  [
    "a file that was there",
    { tool_name: "Write", tool_input: { file_path: "/p/a.ts" }, tool_response: { type: "update" } },
    "PostToolUse",
    { tool: "Write", edited: [".ts"] },
  ],
])("counts what %s tells", (_name, payload, event, usage) => {
  expect(usageOfPayload(payload, event)).toEqual(usage);
});

test("what agents were seen to send gives names and counts, and none of its texts", () => {
  const calls = capturedPayloads.flatMap(({ agentId, file, text }) => {
    const reading = readPayload(text, { agentId, env: {} });
    if (reading.status !== "valid") return [];
    const usage = usageOfPayload(reading.usual, reading.agentEvent ?? reading.eventName);
    expect(JSON.stringify(usage ?? {}), file).not.toMatch(/touch|check the project|\/home/);
    return usage?.tool === undefined ? [] : [`${agentId} ${usage.tool}`];
  });
  expect(new Set(calls.map((call) => call.split(" ")[0]))).toEqual(
    new Set([
      "claude-code",
      "codex",
      "droid",
      "gemini-cli",
      "qwen-code",
      "copilot-cli",
      "cline",
      "kimi-code",
      "auggie",
    ]),
  );
});
