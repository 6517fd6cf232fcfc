// What a tool call would do, in one line: of every captured call, and of the shapes that no capture has.
import { describe, expect, it } from "vitest";
import { readPayload } from "../../../src/agents/read-payload.ts";
import { capturedPayloads } from "../../support/agents/agent-payloads.ts";
import { everyRow } from "../../support/rows.ts";

/** What the agent asks with a PermissionRequest for this tool. */
function requestOf(agentId: string, tool: string, input: object): string | undefined {
  const payload = {
    session_id: "s",
    cwd: "/home/u/proj",
    hook_event_name: "PermissionRequest",
    tool_name: tool,
    tool_input: input,
  };
  const reading = readPayload(JSON.stringify(payload), { agentId, env: {} });
  return reading.status === "valid" ? reading.facts.request : undefined;
}

describe("every captured tool call", () => {
  const calls = capturedPayloads.filter(({ file }) =>
    /^(?:camel-|pascal-)?(?:[Pp]ermissionRequest|[Pp]reToolUse|BeforeTool)(?!-mcp-)/.test(file),
  );
  it("says what it would do", () =>
    everyRow(
      calls,
      ({ agentId, text }) => {
        const reading = readPayload(text, { agentId, env: {} });
        const request = reading.status === "valid" ? (reading.facts.request ?? "") : "";
        expect(request).toMatch(
          /^(?:run `[^`]+`|start a subagent: .+|start on the plan|Which (?:one|colour|color do you want))\?/,
        );
        expect(request).not.toMatch(/^use /);
      },
      ({ agentId, file }) => `${agentId}/${file}`,
    ));
});

const patch =
  "*** Begin Patch\n*** Update File: /home/u/proj/src/a.ts\n@@\n-old\n+new\n+more\n*** Add File: b.md\n+x\n*** End Patch";

describe("a tool call", () => {
  it("says in one line what it would do, whichever agent makes it", () =>
    everyRow<[agentId: string, tool: string, input: object, line: string]>(
      [
        ["claude-code", "Bash", { command: "npm publish --access public" }, "run `npm publish --access public`?"],
        ["claude-code", "Bash", { command: "echo `date`" }, "run `echo 'date'`?"],
        [
          "claude-code",
          "Edit",
          { file_path: "/home/u/proj/src/a.ts", old_string: "a\nb", new_string: "c" },
          "edit src/a.ts (+1 -2)?",
        ],
        [
          "claude-code",
          "MultiEdit",
          {
            file_path: "/etc/hosts",
            edits: [
              { old_string: "a", new_string: "b" },
              { old_string: "", new_string: "c\nd\n" },
            ],
          },
          "edit /etc/hosts (+3 -1)?",
        ],
        ["claude-code", "Write", { file_path: "/home/u/proj/a.ts", content: "1\n2\n" }, "write a.ts (2 lines)?"],
        [
          "claude-code",
          "WebFetch",
          { url: "https://user:pw@example.com/secret?token=1", prompt: "x" },
          "fetch from example.com?",
        ],
        ["claude-code", "WebSearch", { query: "node 20 end of life" }, 'search the web for "node 20 end of life"?'],
        ["claude-code", "mcp__github__create_issue", { title: "x" }, "use create_issue of github?\ntitle: x"],
        [
          "claude-code",
          "mcp__postgres__query",
          { sql: "DELETE FROM orders WHERE paid", limit: 10, database: "live", tags: [], note: "" },
          "use query of postgres?\nlimit: 10\ndatabase: live\nsql: DELETE FROM orders WHERE paid",
        ],
        ["claude-code", "mcp__claude_ai_Linear__save", {}, "use save of claude_ai_Linear?"],
        [
          "claude-code",
          "AskUserQuestion",
          { questions: [{ question: "Which database?", options: [{ label: "SQLite" }, { label: "Postgres" }] }] },
          "Which database? SQLite / Postgres",
        ],
        [
          "claude-code",
          "ExitPlanMode",
          { plan: "\n## Move to Postgres\n1. Dump" },
          'start on the plan "Move to Postgres"?\n1. Dump',
        ],
        [
          "qwen-code",
          "exit_plan_mode",
          { plan: "Move\n\n- dump\n- load" },
          'start on the plan "Move"?\n- dump\n- load',
        ],
        ["droid", "ExitSpecMode", { plan: "# Move\n1. Dump" }, 'start on the plan "Move"?\n1. Dump'],
        ["claude-code", "ExitPlanMode", {}, "start on the plan?"],
        ["claude-code", "Agent", { description: "find the bug", prompt: "…" }, "start a subagent: find the bug?"],
        ["claude-code", "SomethingNew", { command: "ls" }, "run `ls`?"],
        ["claude-code", "SomethingNew", { file_path: "/home/u/proj/x" }, "use SomethingNew on x?"],
        ["claude-code", "SomethingNew", {}, "use SomethingNew?"],
        ["claude-code", "Bash", { command: 7 }, "use Bash?\ncommand: 7"],
        ["claude-code", "constructor", {}, "use constructor?"],
        ["codex", "apply_patch", { command: patch }, "edit src/a.ts, b.md (+3 -1)?"],
        ["codex", "apply_patch", { input: patch }, "edit src/a.ts, b.md (+3 -1)?"],
        ["codex", "shell", { command: ["npm", "test"] }, "run `npm test`?"],
        ["codex", "exec_command", { cmd: "npm test" }, "run `npm test`?"],
        ["droid", "ApplyPatch", { input: "--- a/x.ts\n+++ b/x.ts\n@@\n-a\n+b\n" }, "edit x.ts (+1 -1)?"],
        ["droid", "Create", { file_path: "/home/u/proj/a.md", content: "one" }, "write a.md (1 line)?"],
        ["droid", "linear___create", {}, "use create of linear?"],
        [
          "droid",
          "AskUser",
          { questionnaire: "1. [question] A?\n[option] yes\n[option] no\n2. [question] B?" },
          "A? yes / no\nB?",
        ],
        ["qwen-code", "edit", { file_path: "/home/u/proj/a", old_string: "x", new_string: "" }, "edit a (+0 -1)?"],
        ["generic", "Bash", { command: "ls" }, "run `ls`?"],
      ],
      ([agentId, tool, input, line]) => {
        expect(requestOf(agentId, tool, input)).toBe(line);
      },
      ([agentId, tool, , line]) => `${agentId}, ${tool}: ${line}`,
    ));

  it("names three files of a large patch", () => {
    const files = ["a", "b", "c", "d", "e"].map((name) => `*** Add File: ${name}\n+1`).join("\n");
    expect(requestOf("codex", "apply_patch", { patch: files })).toBe("edit a, b, c and 2 more (+5 -0)?");
  });
});

describe("a question in a Notification", () => {
  it.each<[agentId: string, payload: object, request: string]>([
    [
      "gemini-cli",
      {
        hook_event_name: "Notification",
        session_id: "s",
        cwd: "/p",
        timestamp: "2026-11-21T10:00:00Z",
        notification_type: "ToolPermission",
        message: "m",
        details: { type: "mcp", serverName: "github", toolName: "create_issue" },
      },
      "use create_issue of github?",
    ],
    [
      "gemini-cli",
      {
        hook_event_name: "Notification",
        session_id: "s",
        cwd: "/p",
        timestamp: "2026-11-21T10:00:00Z",
        notification_type: "ToolPermission",
        message: "m",
        details: { type: "info", urls: ["https://example.com/x"] },
      },
      "fetch from example.com?",
    ],
    [
      "opencode",
      {
        agent: "opencode",
        type: "permission.asked",
        directory: "/p",
        properties: {
          id: "1",
          sessionID: "s",
          permission: "edit",
          patterns: ["/p/a.ts"],
          metadata: { filepath: "/p/a.ts", diff: "--- a\n+++ b\n+x" },
        },
      },
      "edit a.ts (+1 -0)?",
    ],
    [
      "opencode",
      {
        agent: "opencode",
        type: "permission.asked",
        directory: "/p",
        properties: {
          id: "1",
          sessionID: "s",
          permission: "webfetch",
          patterns: ["https://example.com/x"],
          metadata: {},
        },
      },
      "fetch from example.com?",
    ],
  ])("of %s (%#)", (agentId, payload, request) => {
    expect(readPayload(JSON.stringify(payload), { agentId, env: {} })).toMatchObject({ facts: { request } });
  });
});
