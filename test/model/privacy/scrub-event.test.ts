import { describe, expect, it } from "vitest";
import { createWords } from "../../../src/model/privacy/scrub-event.ts";
import type { AgentEvent } from "../../../src/model/event.ts";

const event: AgentEvent = {
  id: "evt_1",
  name: "PermissionRequest",
  agent: "claude-code",
  session: "s",
  cwd: "/home/u/shop",
  project: "shop",
  host: "h",
  at: "2026-11-21T12:00:00.000Z",
  level: "attention",
};

describe("a value in a payload", () => {
  const scrubbed = (payload: Record<string, unknown>): unknown => createWords(event, payload)(true).payload;

  it("is a secret by its name, though it is made of words", () => {
    expect(
      scrubbed({ tool_input: { user: "bob", password: "Zugspitze-2962", pass: "seven tall birches", auth: "oauth2" } }),
    ).toEqual({
      tool_input: { user: "bob", password: "[redacted: password]", pass: "[redacted: password]", auth: "oauth2" },
    });
  });

  it("stays if it only speaks about one", () => {
    const payload = { password: "Please enter your password", token: "string", secret: "none", auth_token_file: "a/b" };
    expect(scrubbed(payload)).toEqual(payload);
  });
});
