import { describe, expect, it } from "vitest";
import { withhold, withSnakeCase } from "../../src/agents/read-payload.ts";

describe("withSnakeCase", () => {
  it.each([
    ["sessionId", "session_id"],
    ["sessionID", "session_id"],
    ["turn-id", "turn_id"],
    ["last-assistant-message", "last_assistant_message"],
    ["session_id", "session_id"],
    ["CLAUDE_ENV_FILE", "CLAUDE_ENV_FILE"],
    ["permission.asked", "permission.asked"],
  ])("makes %s to %s", (key, snake) => {
    expect(withSnakeCase({ [key]: 1 })).toEqual({ [snake]: 1 });
  });

  it("lets a key in snake_case win, and no key become a prototype", () => {
    expect(withSnakeCase({ sessionId: "camel", session_id: "snake", "session-id": "kebab" })).toEqual({
      session_id: "snake",
    });
    const made = withSnakeCase(JSON.parse('{"__proto__":{"polluted":true},"a":1}') as Record<string, unknown>);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(made).toEqual({ a: 1 });
  });
});

describe("withhold", () => {
  const payload = { a: 1, deep: { b: 2, c: { d: 3, e: 4 } }, list: [{ b: 2 }] };
  it.each([
    [["a"], { deep: payload.deep, list: payload.list }],
    [["deep.c.d", "deep.b"], { a: 1, deep: { c: { e: 4 } }, list: payload.list }],
    [["none", "a.b", "list.b", "deep.none.b"], payload],
    [[], payload],
  ])("leaves out %j", (paths, rest) => {
    const before = JSON.stringify(payload);
    expect(withhold(payload, paths)).toEqual(rest);
    expect(JSON.stringify(payload)).toBe(before);
  });
});
