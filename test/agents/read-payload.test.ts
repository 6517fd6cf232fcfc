import { describe, expect, it } from "vitest";
import { describePayloadProblem, readPayload } from "../../src/agents/read-payload.ts";
import { everyRow } from "../support/rows.ts";

const base = { session_id: "s1", cwd: "/home/u/shop" };
const stop = { ...base, hook_event_name: "Stop" };

/** What the hook says about a payload; empty when it is valid. */
function complaints(payload: unknown, hints: { agentId?: string; eventName?: string } = {}): string[] {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const reading = readPayload(text, { ...hints, env: {} });
  return reading.status === "valid"
    ? []
    : reading.problems.map((problem) => describePayloadProblem(problem, reading.eventName));
}

const malformed: [string, unknown, string[]][] = [
  ["nothing", "", ["payload: expected one JSON object, got nothing"]],
  ["white space", " \n\t ", ["payload: expected one JSON object, got nothing"]],
  ["a byte order mark alone", "\uFEFF", ["payload: expected one JSON object, got nothing"]],
  ["null", "null", ["payload: expected one JSON object, got null"]],
  ["a number", "42", ["payload: expected one JSON object, got the number 42"]],
  ["a string", '"Stop"', ['payload: expected one JSON object, got the string "Stop"']],
  ["true", "true", ["payload: expected one JSON object, got the boolean true"]],
  ["an array", "[]", ["payload: expected one JSON object, got an array"]],
  ["an array of payloads", JSON.stringify([stop]), ["payload: expected one JSON object, got an array"]],
  [
    "an empty object",
    {},
    [
      "payload: hook_event_name: expected a non-empty string, got nothing",
      "payload: session_id: expected a non-empty string, got nothing",
      "payload: cwd: expected a non-empty string, got nothing",
    ],
  ],
  ["no event", base, ["payload: hook_event_name: expected a non-empty string, got nothing"]],
  [
    "an empty event",
    { ...base, hook_event_name: "" },
    ["payload: hook_event_name: expected a non-empty string, got an empty string"],
  ],
  [
    "a number as event",
    { ...base, hook_event_name: 7 },
    ["payload: hook_event_name: expected a non-empty string, got the number 7"],
  ],
  [
    "null as event",
    { ...base, hook_event_name: null },
    ["payload: hook_event_name: expected a non-empty string, got null"],
  ],
  [
    "an object as event",
    { ...base, hook_event_name: {} },
    ["payload: hook_event_name: expected a non-empty string, got an object"],
  ],
  ["no session", { hook_event_name: "Stop", cwd: "/" }, ["Stop: session_id: expected a non-empty string, got nothing"]],
  [
    "an empty session",
    { ...stop, session_id: "" },
    ["Stop: session_id: expected a non-empty string, got an empty string"],
  ],
  [
    "a number as session",
    { ...stop, session_id: 5 },
    ["Stop: session_id: expected a non-empty string, got the number 5"],
  ],
  [
    "an array as session",
    { ...stop, session_id: ["a"] },
    ["Stop: session_id: expected a non-empty string, got an array"],
  ],
  ["no cwd", { hook_event_name: "Stop", session_id: "s" }, ["Stop: cwd: expected a non-empty string, got nothing"]],
  ["an empty cwd", { ...stop, cwd: "" }, ["Stop: cwd: expected a non-empty string, got an empty string"]],
  ["false as cwd", { ...stop, cwd: false }, ["Stop: cwd: expected a non-empty string, got the boolean false"]],
  [
    "an object as transcript path",
    { ...stop, transcript_path: {} },
    ["Stop: transcript_path: expected a string, got an object"],
  ],
  [
    "a number as permission mode",
    { ...stop, permission_mode: 1 },
    ["Stop: permission_mode: expected a string, got the number 1"],
  ],
  [
    "a number as message",
    { ...base, hook_event_name: "Notification", message: 1 },
    ["Notification: message: expected a string, got the number 1"],
  ],
  [
    "an array as message",
    { ...base, hook_event_name: "Notification", message: ["a"] },
    ["Notification: message: expected a string, got an array"],
  ],
  [
    "an object as title",
    { ...base, hook_event_name: "Notification", title: {} },
    ["Notification: title: expected a string, got an object"],
  ],
  [
    "a boolean as notification type",
    { ...base, hook_event_name: "Notification", notification_type: true },
    ["Notification: notification_type: expected a string, got the boolean true"],
  ],
  [
    "text as stop_hook_active",
    { ...stop, stop_hook_active: "false" },
    ['Stop: stop_hook_active: expected a boolean, got the string "false"'],
  ],
  [
    "a number as stop_hook_active",
    { ...stop, stop_hook_active: 0 },
    ["Stop: stop_hook_active: expected a boolean, got the number 0"],
  ],
  [
    "null as stop_hook_active",
    { ...stop, stop_hook_active: null },
    ["Stop: stop_hook_active: expected a boolean, got null"],
  ],
  [
    "an object as last message",
    { ...stop, last_assistant_message: {} },
    ["Stop: last_assistant_message: expected a string, got an object"],
  ],
  [
    "an object as background tasks",
    { ...stop, background_tasks: {} },
    ["Stop: background_tasks: expected an array, got an object"],
  ],
  [
    "text as background tasks",
    { ...stop, background_tasks: "none" },
    ['Stop: background_tasks: expected an array, got the string "none"'],
  ],
  [
    "a number as agent id",
    { ...base, hook_event_name: "SubagentStop", agent_id: 3 },
    ["SubagentStop: agent_id: expected a string, got the number 3"],
  ],
  [
    "an array as agent type",
    { ...base, hook_event_name: "SubagentStop", agent_type: [] },
    ["SubagentStop: agent_type: expected a string, got an array"],
  ],
  [
    "text as a subagent's stop_hook_active",
    { ...base, hook_event_name: "SubagentStop", stop_hook_active: "no" },
    ['SubagentStop: stop_hook_active: expected a boolean, got the string "no"'],
  ],
  [
    "a session's end without reason",
    { ...base, hook_event_name: "SessionEnd" },
    ["SessionEnd: reason: expected a non-empty string, got nothing"],
  ],
  [
    "a session's end with an empty reason",
    { ...base, hook_event_name: "SessionEnd", reason: "" },
    ["SessionEnd: reason: expected a non-empty string, got an empty string"],
  ],
  [
    "a session's end with a number as reason",
    { ...base, hook_event_name: "SessionEnd", reason: 9 },
    ["SessionEnd: reason: expected a non-empty string, got the number 9"],
  ],
  [
    "a session's end with null as reason",
    { ...base, hook_event_name: "SessionEnd", reason: null },
    ["SessionEnd: reason: expected a non-empty string, got null"],
  ],
  [
    "a number as error",
    { ...base, hook_event_name: "StopFailure", error: 500 },
    ["StopFailure: error: expected a string, got the number 500"],
  ],
  [
    "a number as prompt",
    { ...base, hook_event_name: "UserPromptSubmit", prompt: 1 },
    ["UserPromptSubmit: prompt: expected a string, got the number 1"],
  ],
  [
    "three faults at once",
    { hook_event_name: "Stop", session_id: 1, cwd: "", stop_hook_active: "x" },
    [
      "Stop: session_id: expected a non-empty string, got the number 1",
      "Stop: cwd: expected a non-empty string, got an empty string",
      'Stop: stop_hook_active: expected a boolean, got the string "x"',
    ],
  ],
];

describe("readPayload refuses", () => {
  it("every payload with a malformed field, and says which", () =>
    everyRow(malformed, ([_name, payload, lines]) => {
      expect(complaints(payload)).toEqual(lines);
    }));

  it.each([
    ["broken JSON", '{"session_id":'],
    ["a trailing comma", `${JSON.stringify(stop).slice(0, -1)},}`],
    ["two objects", `${JSON.stringify(stop)}${JSON.stringify(stop)}`],
    ["single quotes", "{'session_id':'s'}"],
    ["NaN", '{"session_id":NaN}'],
    ["a NUL byte", "\u0000"],
    ["a shell's error", "bash: jq: command not found"],
    ["HTML", "<html></html>"],
  ])("%s as text that is not JSON", (_name, text) => {
    const [line, ...others] = complaints(text);
    expect(line).toMatch(/^payload: expected one JSON object, got text that is not JSON/);
    expect(others).toEqual([]);
  });

  it("keeps a stranger's control characters and length out of its lines", () => {
    const [line = ""] = complaints({ ...stop, session_id: 1, hook_event_name: `\u001B[2J\u202E${"x".repeat(500)}` });
    expect(line).not.toMatch(/[\u0000-\u001F\u202E]/);
    expect(line.length).toBeLessThan(200);
  });
});

describe("readPayload accepts", () => {
  it.each([
    ["only the required fields", stop],
    ["an event no one knows", { ...base, hook_event_name: "MoonPhase", phase: "full" }],
    ["an event named like a property of every object", { ...base, hook_event_name: "constructor" }],
    ["extra fields everywhere", { ...stop, extra: { deep: [1] }, another: null }],
    ["null for an optional string", { ...stop, last_assistant_message: null, transcript_path: null }],
    ["any reason", { ...base, hook_event_name: "SessionEnd", reason: "meteor" }],
    ["lone surrogates", `{"session_id":"s","cwd":"/","hook_event_name":"Stop","last_assistant_message":"\\ud800"}`],
    ["a byte order mark", `\uFEFF${JSON.stringify(stop)}`],
  ])("a payload with %s", (_name, payload) => {
    expect(complaints(payload)).toEqual([]);
  });

  it.each(["droid", "claude-code", "generic"])("camelCase keys of older releases of %s", (agentId) => {
    const payload = { sessionId: "s", cwd: "/", hookEventName: "Stop", stopHookActive: false, transcriptPath: "~/t" };
    const reading = readPayload(JSON.stringify(payload), { agentId, env: {} });
    expect(reading).toMatchObject({
      status: "valid",
      eventName: "Stop",
      payload: { session_id: "s", stop_hook_active: false },
    });
    const odd = readPayload(JSON.stringify({ ...payload, stopHookActive: "x" }), { agentId, env: {} });
    const found = { field: "stop_hook_active", got: 'the string "x"' };
    if (agentId === "claude-code") expect(odd).toMatchObject({ status: "valid", drift: [found] });
    else expect(odd).toMatchObject({ status: "invalid", problems: [found] });
  });

  it.each([
    ["claude-code", "pre_tool_use", "PreToolUse"],
    ["claude-code", "permission-request", "PermissionRequest"],
    ["claude-code", "STOP", "Stop"],
    ["codex", "sessionStart", "SessionStart"],
    ["cursor", "after_file_edit", "afterFileEdit"],
    ["cursor", "Before_Submit_Prompt", "UserPromptSubmit"],
    ["generic", "subagent_stop", "SubagentStop"],
    ["my-agent", "notification", "Notification"],
    ["claude-code", "Stopped", "Stopped"],
    ["claude-code", "__proto__", "__proto__"],
  ])("an event of %s that is written %s as %s", (agentId, written, eventName) => {
    const text = JSON.stringify({ ...base, conversation_id: "s", hook_event_name: written });
    expect(readPayload(text, { agentId, env: {} })).toMatchObject({ status: "valid", eventName });
  });

  it("lets snake_case win where both are there", () => {
    const text = JSON.stringify({ ...stop, sessionId: "camel" });
    expect(readPayload(text, { env: {} })).toMatchObject({ payload: { session_id: "s1" } });
  });

  it("takes the event from the command line where the payload has none", () => {
    expect(readPayload(JSON.stringify(base), { eventName: "Stop", env: {} })).toMatchObject({
      status: "valid",
      eventName: "Stop",
    });
  });
});

describe("whose dialect it is", () => {
  it.each([
    [{ FACTORY_PROJECT_DIR: "/p", CLAUDE_PROJECT_DIR: "/p" }, "droid"],
    [{ CLAUDECODE: "1", CLAUDE_PROJECT_DIR: "/p" }, "claude-code"],
    [{ CLAUDE_PROJECT_DIR: "/p" }, "generic"],
    [{}, "generic"],
  ])("%j means %s", (env, agentId) => {
    expect(readPayload(JSON.stringify(stop), { env })).toMatchObject({ agentId });
  });

  it("is what --agent says, also of an agent that has no dialect of its own", () => {
    expect(readPayload(JSON.stringify(stop), { agentId: "droid", env: { CLAUDECODE: "1" } })).toMatchObject({
      agentId: "droid",
    });
    expect(readPayload(JSON.stringify(stop), { agentId: "my-agent", env: {} })).toMatchObject({
      agentId: "my-agent",
      agent: { id: "generic" },
    });
  });
});

it("takes what an agent says of an error for the message where it sends no other", () => {
  const failure = { ...base, hook_event_name: "StopFailure", error: "server_error", error_details: "529 overloaded" };
  const messageOf = (payload: object): unknown => {
    const reading = readPayload(JSON.stringify(payload), { agentId: "claude-code", env: {} });
    return reading.status === "valid" ? reading.facts.message : undefined;
  };
  expect(messageOf(failure)).toBe("529 overloaded");
  expect(messageOf({ ...failure, last_assistant_message: "Half done." })).toBe("Half done.");
});
